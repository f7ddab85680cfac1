import { createServer } from 'node:http';
import type { Metrics } from '@muster/service-kit';
import { listen } from './server.ts';

/** Serves the metrics for Prometheus, on this machine only: they are nobody else's business. */
export async function serveMetrics(
  metrics: Metrics,
  port: number,
): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    response.setHeader('Content-Type', metrics.registry.contentType).end(await metrics.registry.metrics());
  });
  return {
    url: await listen(server, port, '127.0.0.1'),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
