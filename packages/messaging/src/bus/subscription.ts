import type { Channel, ConsumeMessage } from 'amqplib';
import type { Gate } from '../process/engine.ts';
import { aborted, within } from '../process/loop.ts';
import type { Link, LinkSetup } from './link.ts';

/** A message, and how to be done with it. */
export interface Delivery {
  message: ConsumeMessage;
  /** Takes the message off the queue. Does nothing once its connection is gone: then the broker delivers it again. */
  ack(): void;
  /** Aborts when the connection that brought the message is gone. */
  gone: AbortSignal;
}

/**
 * Reads one queue: again after each reconnect, not while the gate is closed. Messages that came before the gate closed
 * stay unacknowledged, so that waiting costs them no delivery.
 */
export interface Subscription {
  setup: LinkSetup;
  /** Builds the connection anew when the queue holds messages and none came for `afterMs`. */
  checkAlive(afterMs: number): Promise<void>;
  /** Stops reading and lets what is being handled finish. */
  drain(): Promise<void>;
}

const ANSWER_MS = 5_000;

export function createSubscription(parts: {
  queue: string;
  prefetch: number;
  gate: Gate;
  link: () => Link;
  handle(delivery: Delivery): Promise<void>;
}): Subscription {
  const { queue, gate } = parts;
  const handling = new Set<Promise<void>>();
  let current: { channel: Channel; down: AbortSignal } | undefined;
  let tag: string | undefined;
  let draining = false;
  let cameAt = performance.now();
  let switching = Promise.resolve();

  const setup: LinkSetup = async (model, down) => {
    const channel = await model.createChannel();
    channel.on('error', (error) => parts.link().rebuild(error.message));
    channel.on('close', () => parts.link().rebuild(`the channel of ${queue} was closed`));
    await channel.prefetch(parts.prefetch);
    current = { channel, down };
    tag = undefined;
    cameAt = performance.now();
    down.addEventListener('abort', () => {
      if (current?.channel === channel) current = undefined;
    });
    await follow();
  };

  /** Brings the broker's side in line with what is wanted: reading, or not. One change at a time. */
  function follow(): Promise<void> {
    const followed = switching.then(async () => {
      const wanted = !draining && !gate.closed();
      const on = current;
      if (!on || wanted === (tag !== undefined)) return;
      if (wanted) {
        const read = on.channel.consume(queue, (message) => take(on.channel, on.down, message));
        const consumer = await Promise.race([read, aborted(on.down)]);
        if (consumer && current === on) tag = consumer.consumerTag;
      } else {
        const cancelled = tag ?? '';
        tag = undefined;
        await Promise.race([on.channel.cancel(cancelled), aborted(on.down)]);
      }
    });
    switching = followed.catch(() => undefined);
    return followed;
  }

  function take(channel: Channel, gone: AbortSignal, message: ConsumeMessage | null): void {
    if (!message) {
      parts.link().rebuild(`the broker cancelled the consumer of ${queue}`);
      return;
    }
    cameAt = performance.now();
    const ack = () => {
      if (!gone.aborted) channel.ack(message);
    };
    const handled = parts.handle({ message, ack, gone }).finally(() => handling.delete(handled));
    handling.add(handled);
  }

  gate.onChange(() => void follow().catch((error: Error) => parts.link().rebuild(error.message)));

  return {
    setup,
    async checkAlive(afterMs) {
      if (!current || tag === undefined || handling.size > 0) cameAt = performance.now();
      else if (performance.now() - cameAt > afterMs) {
        cameAt = performance.now();
        const rebuild = parts.link().rebuild;
        const asked = within(ANSWER_MS, 'the broker does not answer', current.channel.checkQueue(queue));
        const found = await asked.catch((error: Error) => rebuild(error.message));
        if (found && found.messageCount > 0 && handling.size === 0)
          rebuild(`${queue} holds ${found.messageCount} messages and none came for ${afterMs / 1000} s`);
      }
    },
    async drain() {
      draining = true;
      await follow().catch(() => undefined);
      await Promise.all(handling);
    },
  };
}
