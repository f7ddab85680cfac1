import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Metrics } from './metrics.ts';
import { prometheusMetrics } from './prometheus.ts';
import type { BeginSpan, Telemetry } from './span.ts';
import { parsedTraceparent } from './trace.ts';

const SPANS_EVERY_MS = 2_000;
const METRICS_EVERY_MS = 30_000;
const STOP_MS = 3_000;
const KINDS = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER };

/** Sends spans and metrics to a collector. Nothing is registered globally: several services may run in one process. */
export function exportTelemetry(
  { service, metrics }: { service: string; metrics: Metrics },
  endpoint: string,
): Telemetry {
  const base = endpoint.replace(/\/$/, '');
  const resource = resourceFromAttributes({ 'service.namespace': 'muster', 'service.name': service });
  const spans = new TracerProvider({
    resource,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: `${base}/v1/traces` }),
        scheduledDelayMillis: SPANS_EVERY_MS,
      }),
    ],
  });
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ url: `${base}/v1/metrics` }),
    exportIntervalMillis: METRICS_EVERY_MS,
    metricProducers: [prometheusMetrics(metrics.registry, resource)],
  });
  const meters = new MeterProvider({ resource, readers: [reader] });
  return {
    begin: beginner(spans),
    async stop() {
      const sent = Promise.allSettled([spans.shutdown(), meters.shutdown()]);
      await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);
    },
  };
}

function beginner(spans: TracerProvider): BeginSpan {
  const tracer = spans.getTracer('muster');
  return ({ name, kind, parent, attributes }) => {
    const from = parsedTraceparent(parent);
    const context = from ? trace.setSpanContext(ROOT_CONTEXT, { ...from, isRemote: true }) : ROOT_CONTEXT;
    const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, context);
    const { traceId, spanId } = span.spanContext();
    return {
      traceparent: `00-${traceId}-${spanId}-01`,
      recorded: true,
      end({ name: better, error } = {}) {
        if (better) span.updateName(better);
        if (error !== undefined)
          span.setStatus({
            code: SpanStatusCode.ERROR,
            message: error instanceof Error ? error.message : String(error),
          });
        span.end();
      },
    };
  };
}
