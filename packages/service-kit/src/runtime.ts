import { events, type ServiceName, subscribers } from '@muster/contracts';
import { createMessaging } from '@muster/messaging';
import type { Connection } from 'mongoose';
import { accessReactions } from './access/copies.ts';
import type { BaseConfig } from './config.ts';
import type { Runtime } from './context.ts';
import { cursors } from './cursor.ts';
import type { Reactions } from './reaction.ts';
import type { Logger } from './telemetry/log.ts';
import type { Metrics } from './telemetry/metrics.ts';
import { type BeginSpan, inSpan } from './telemetry/span.ts';
import { currentTrace, withTrace } from './telemetry/trace.ts';
import type { Work } from './work.ts';

/** What a process is made from. */
export interface Parts {
  service: { name: ServiceName; reactions: Reactions; work: readonly Work[] };
  config: BaseConfig;
  connection: Connection;
  log: Logger;
  metrics: Metrics;
  begin: BeginSpan;
}

/** Puts together what a service's process holds; nothing starts yet. */
export function createRuntime(parts: Parts): Runtime {
  const { service, config, connection, log, metrics, begin } = parts;
  const reactions = [...Object.values(accessReactions).flat(), ...service.reactions.all];
  const held = { service: service.name, config, connection, log, cursors: cursors(config.SERVICE_SECRET) };
  // Reactions and work look at the runtime only when they run: by then it has its messaging.
  const runtime = held as Runtime;
  return Object.assign(held, {
    messaging: createMessaging({
      service: service.name,
      connection,
      amqpUrl: config.AMQP_URL,
      redisUrl: config.REDIS_URL,
      redisPrefix: config.REDIS_PREFIX,
      role: config.ROLE,
      log,
      registry: metrics.registry,
      catalogue: events,
      subscriptions: subscribedTypes(),
      consumers: reactions.flatMap((reaction) => reaction.bind(runtime)),
      jobs: service.work.map((work) => work.bind(runtime)),
      requestContext: {
        current: currentTrace,
        run: ({ name, requestId = '', traceparent: parent, orgId }, work) => {
          const span = begin({
            name,
            kind: 'consumer',
            parent,
            attributes: { 'muster.organization': orgId },
          });
          const { traceparent } = span;
          return inSpan(span, () => withTrace({ requestId, traceparent, orgId }, work));
        },
      },
    }),
  });
}

/** The event types that each service listens to, for whoever declares the topology. */
function subscribedTypes(): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(subscribers).map(([name, declared]) => [name, declared.map(({ type }) => type)]),
  );
}
