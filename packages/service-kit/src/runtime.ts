import { events, type ServiceName, subscribers } from '@muster/contracts';
import { createMessaging } from '@muster/messaging';
import type { Connection } from 'mongoose';
import { accessReactions } from './access/copies.ts';
import type { BaseConfig } from './config.ts';
import type { Runtime } from './context.ts';
import { cursors } from './cursor.ts';
import type { Reaction } from './reaction.ts';
import type { Logger } from './telemetry/log.ts';
import type { Metrics } from './telemetry/metrics.ts';
import { currentTrace, withTrace } from './telemetry/trace.ts';
import type { Work } from './work.ts';

/** What a process is made from. */
export interface Parts {
  service: { name: ServiceName; reactions: readonly Reaction[]; work: readonly Work[] };
  config: BaseConfig;
  connection: Connection;
  log: Logger;
  metrics: Metrics;
}

/** Puts together what a service's process holds; nothing starts yet. Raises when its reactions are not the catalogue's. */
export function createRuntime(parts: Parts): Runtime {
  const { service, config, connection, log, metrics } = parts;
  const reactions: readonly Reaction[] = [...service.reactions, ...accessReactions];
  requireSubscriptions(service.name, reactions);
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
      consumers: reactions.map((reaction) => reaction.bind(runtime)),
      jobs: service.work.map((work) => work.bind(runtime)),
      requestContext: {
        current: currentTrace,
        run: ({ requestId = '', traceparent = '', orgId }, work) =>
          withTrace({ requestId, traceparent, orgId }, work),
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

/** A reaction that is not in the catalogue would never be delivered, one that is missing would lose events. */
function requireSubscriptions(service: ServiceName, reactions: readonly Reaction[]): void {
  const declared = new Set(subscribers[service]?.map(({ type }) => type));
  const present = new Set(reactions.map(({ declaration }) => declaration.type));
  const missing = [...declared].filter((type) => !present.has(type));
  const unknown = [...present].filter((type) => !declared.has(type));
  if (missing.length + unknown.length === 0) return;
  throw new Error(
    `The catalogue's subscriptions and the reactions differ: no reaction to [${missing.join(', ')}], not subscribed to [${unknown.join(', ')}]`,
  );
}
