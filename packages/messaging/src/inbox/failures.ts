import type { Logger } from 'pino';
import type { Publisher } from '../bus/publisher.ts';
import { deadQueue, retryQueue } from '../bus/topology.ts';
import type { Metrics } from '../metrics.ts';
import type { Gate } from '../process/engine.ts';
import { holding, LinkGone } from '../process/engine.ts';
import { pause } from '../process/loop.ts';
import { afterFailure } from './failure.rules.ts';
import type { Received } from './message.ts';
import { ATTEMPT_HEADER, typeOf } from './message.ts';
import type { ParkedMessages } from './parked.ts';

/** Where messages go that cannot be handled now. Each resolves when the message is durable there; raises LinkGone. */
export interface Failures {
  /** Into the next retry queue, or parked after the last. */
  retryOrPark(received: Received, error: unknown, gone: AbortSignal): Promise<void>;
  park(received: Received, reason: string, gone: AbortSignal): Promise<void>;
  /** To the dead-letter queue, where it is handled alone. */
  quarantine(received: Received, gone: AbortSignal): Promise<void>;
}

const BETWEEN_SENDS_MS = 500;
const BETWEEN_PARKINGS_MS = 5_000;

export function createFailures(parts: {
  service: string;
  parked: ParkedMessages;
  publisher: Publisher;
  /** Declares queues anew that were found missing. */
  redeclare(reason: string): void;
  gate: Gate;
  retryDelaysMs: readonly number[];
  metrics: Metrics;
  log: Logger;
}): Failures {
  const { service, publisher, gate, parked, metrics, log } = parts;

  async function park(received: Received, reason: string, gone: AbortSignal): Promise<void> {
    for (;;) {
      try {
        await holding(gate, gone, () => parked.park(received, reason));
        break;
      } catch (error) {
        if (error instanceof LinkGone) throw error;
        log.error({ err: error, event: received.id }, 'a message could not be parked; it is tried again');
        await pause(BETWEEN_PARKINGS_MS, gone);
      }
    }
    metrics.consumed.inc({ type: typeOf(received), result: 'parked' });
    log.error({ event: received.id, type: typeOf(received), reason }, 'a message was parked');
  }

  /** Puts the message into another queue, for as long as it takes. */
  async function sendOn(
    queue: string,
    received: Received,
    attempt: number,
    gone: AbortSignal,
  ): Promise<void> {
    const message = {
      exchange: '',
      routingKey: queue,
      messageId: received.id,
      type: typeOf(received),
      body: Buffer.from(received.body),
      headers: { [ATTEMPT_HEADER]: attempt },
    };
    for (;;) {
      if (gone.aborted) throw new LinkGone();
      const outcome = await publisher.send(message).catch(() => 'failed' as const);
      if (outcome === 'confirmed') return;
      if (outcome === 'unrouted') parts.redeclare(`${queue} is missing`);
      await pause(BETWEEN_SENDS_MS, gone);
    }
  }

  return {
    park,
    async retryOrPark(received, error, gone) {
      const reason = error instanceof Error ? error.message : String(error);
      const next = afterFailure(received.attempt, parts.retryDelaysMs);
      if (next.kind === 'park') return await park(received, reason, gone);
      await sendOn(retryQueue(service, next.delayMs), received, next.attempt, gone);
      metrics.consumed.inc({ type: typeOf(received), result: 'retried' });
    },
    quarantine: (received, gone) => sendOn(deadQueue(service), received, received.attempt, gone),
  };
}
