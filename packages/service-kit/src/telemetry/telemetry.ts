import type { Logger } from 'pino';
import type { Metrics } from './metrics.ts';
import { type Telemetry, unrecorded } from './span.ts';

/**
 * Sends traces and the metrics of `/metrics` to an OpenTelemetry collector by OTLP over HTTP, where one is named; else
 * nothing is sent, and nothing of OpenTelemetry is loaded.
 * @param endpoint the collector, such as `http://127.0.0.1:4318`
 */
export async function openTelemetry(
  process: { service: string; metrics: Metrics; log: Logger },
  endpoint: string | undefined,
): Promise<Telemetry> {
  if (endpoint === undefined) return { begin: unrecorded, stop: async () => undefined };
  const { exportTelemetry } = await import('./otlp.ts');
  process.log.info({ endpoint }, 'traces and metrics go to a collector');
  return exportTelemetry(process, endpoint);
}
