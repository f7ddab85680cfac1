import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { createLink, type Link } from '../bus/link.ts';
import { createPublisher } from '../bus/publisher.ts';
import { createMetrics } from '../metrics.ts';
import { DEFAULT_TIMINGS } from '../options.ts';
import { type OutboxHealth, pendingIn, republishIn } from '../outbox/outbox.ts';
import { collectionsOf } from '../store/collections.ts';
import { createParkedMessages, type Parked, resendTo } from './parked.ts';

/** What waits in a service, and was given up there, for whoever runs the product. */
export interface Operator {
  /** Of every organization, and what names none. */
  parked(): Promise<Parked[]>;
  pending(): Promise<OutboxHealth>;
  /** @throws Error when there is no such message, or the broker is away; then it stays parked */
  replay(id: string): Promise<void>;
  /** Has the service publish its events of the last seven days again. Answers how many. */
  republish(): Promise<number>;
  close(): Promise<void>;
}

const BROKER_MS = 10_000;

/**
 * Looks at a service's messages from outside of it, whether it runs or not: nothing is relayed, consumed or run. The
 * broker is asked only when a message is replayed.
 * @param parts.connection an open connection to the service's database
 */
export function operatorOf(parts: {
  service: string;
  connection: Connection;
  amqpUrl: string;
  log: Logger;
}): Operator {
  const { service, connection, amqpUrl: url, log } = parts;
  const { parked: rows, outbox } = collectionsOf(connection);
  const { confirmMs, heartbeatMs, reconnectMs: maxWaitMs } = DEFAULT_TIMINGS;
  const publisher = createPublisher({ link: (): Link => link, confirmMs });
  const link = createLink({
    url,
    name: `${service} operator`,
    maxWaitMs,
    heartbeatMs,
    log,
    setup: publisher.setup,
  });
  const parked = createParkedMessages({
    rows,
    metrics: createMetrics(new Registry()),
    resend: resendTo(service, publisher),
  });

  async function connected(): Promise<void> {
    link.start();
    const until = performance.now() + BROKER_MS;
    while (!publisher.ready() && performance.now() < until) await sleep(50);
    if (publisher.ready()) return;
    throw new Error(`the broker is away (${link.status().detail}): what is parked stays parked`);
  }

  return {
    parked: parked.list,
    pending: () => pendingIn(outbox),
    async replay(id) {
      await connected();
      await parked.replay(id);
    },
    republish: () => republishIn(outbox),
    close: link.stop,
  };
}
