import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** What Prometheus sees of messaging. */
export function createMetrics(registry: Registry) {
  const registers = [registry];
  return {
    outboxPending: new Gauge({
      name: 'outbox_pending',
      help: 'Events that are committed and not yet published',
      registers,
    }),
    outboxOldestAge: new Gauge({
      name: 'outbox_oldest_age_seconds',
      help: 'Age of the oldest event that is not yet published',
      registers,
    }),
    published: new Counter({
      name: 'events_published_total',
      help: 'Events that the broker confirmed',
      labelNames: ['type'],
      registers,
    }),
    consumed: new Counter({
      name: 'events_consumed_total',
      help: 'Messages by outcome: applied, duplicate, ignored, retried, parked',
      labelNames: ['type', 'result'],
      registers,
    }),
    parked: new Counter({
      name: 'parked_total',
      help: 'Messages that were parked',
      labelNames: ['type'],
      registers,
    }),
    jobs: new Counter({
      name: 'jobs_total',
      help: 'Jobs by kind and the state they reached',
      labelNames: ['kind', 'state'],
      registers,
    }),
    jobDuration: new Histogram({
      name: 'job_duration_seconds',
      help: 'Duration of one run of a job',
      labelNames: ['kind'],
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 1800],
      registers,
    }),
  };
}
export type Metrics = ReturnType<typeof createMetrics>;
