import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';

/** A histogram's rows name their part of it, which the library's types leave out. */
type Declared = MetricObjectWithValues<MetricValue<string> & { metricName?: string }>;

/** The metrics of a registry as OpenTelemetry has them, so that each is declared once. Summaries are left out. */
export function prometheusMetrics(registry: Registry, resource: Resource): MetricProducer {
  const startTime = now();
  return {
    async collect() {
      const declared = (await registry.getMetricsAsJSON()) as Declared[];
      const endTime = now();
      const metrics = declared.flatMap((metric) => converted(metric, { startTime, endTime }) ?? []);
      const scope = { name: 'muster' };
      return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics }] }, errors: [] };
    },
  };
}

interface Span {
  startTime: HrTime;
  endTime: HrTime;
}

function converted(metric: Declared, span: Span): MetricData | undefined {
  const { name, help: description, type, values } = metric;
  const base = {
    descriptor: { name, description, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const points = () =>
    values.map(({ value, labels }) => ({ ...span, value, attributes: labels as Attributes }));
  // prom-client names the kinds by words where it gives JSON, by numbers in its types.
  const kind = String(type);
  if (kind === 'counter')
    return { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points() };
  if (kind === 'gauge') return { ...base, dataPointType: DataPointType.GAUGE, dataPoints: points() };
  if (kind === 'histogram')
    return { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(metric, span) };
  return undefined;
}

/** Prometheus counts what is at most each bound, a row for each bound; OpenTelemetry what lies between two. */
function histograms({ name, values }: Declared, span: Span): DataPoint<Histogram>[] {
  const rows = values.map(({ metricName = name, labels, value }) => {
    const { le, ...attributes } = labels as Record<string, string | number>;
    return { part: metricName.slice(name.length), le, attributes, value };
  });
  const groups = Map.groupBy(rows, ({ attributes }) => JSON.stringify(attributes));
  return [...groups.values()].map((group) => {
    const upTo = group.filter(({ part, le }) => part === '_bucket' && le !== '+Inf');
    const count = group.find(({ part }) => part === '_count')?.value ?? 0;
    const counts = [...upTo.map(({ value }) => value), count];
    return {
      ...span,
      attributes: group[0]?.attributes ?? {},
      value: {
        buckets: {
          boundaries: upTo.map(({ le }) => Number(le)),
          counts: counts.map((value, index) => value - (counts[index - 1] ?? 0)),
        },
        sum: group.find(({ part }) => part === '_sum')?.value ?? 0,
        count,
      },
    };
  });
}

function now(): HrTime {
  const ms = Date.now();
  return [Math.floor(ms / 1000), (ms % 1000) * 1_000_000];
}
