import type { Channel, ConsumeMessage } from 'amqplib';
import type { Gate } from '../process/gate.ts';
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

export function createSubscription(parts: {
  queue: string;
  prefetch: number;
  gate: Gate;
  link: () => Link;
  handle(delivery: Delivery): Promise<void>;
}): Subscription {
  const { queue, gate } = parts;
  const handling = new Set<Promise<void>>();
  let channel: Channel | undefined;
  let tag: string | undefined;
  let draining = false;
  let cameAt = performance.now();
  let switching = Promise.resolve();

  const setup: LinkSetup = async (model, down) => {
    const opened = await model.createChannel();
    opened.on('error', (error) => parts.link().rebuild(error.message));
    opened.on('close', () => parts.link().rebuild(`the channel of ${queue} was closed`));
    await opened.prefetch(parts.prefetch);
    down.addEventListener('abort', () => {
      if (channel !== opened) return;
      channel = undefined;
      tag = undefined;
    });
    channel = opened;
    cameAt = performance.now();
    await follow(down);
  };

  /** Brings the broker's side in line with what is wanted: reading, or not. One change at a time. */
  function follow(down?: AbortSignal): Promise<void> {
    switching = switching.then(async () => {
      const wanted = !draining && !gate.closed();
      const on = channel;
      if (!on || wanted === (tag !== undefined)) return;
      if (wanted) tag = (await on.consume(queue, (message) => take(on, message, down))).consumerTag;
      else {
        const cancelled = tag ?? '';
        tag = undefined;
        await on.cancel(cancelled);
      }
    });
    const followed = switching;
    switching = switching.catch(() => undefined);
    return followed;
  }

  const gone = new WeakMap<Channel, AbortSignal>();
  function take(on: Channel, message: ConsumeMessage | null, down?: AbortSignal): void {
    if (down) gone.set(on, down);
    if (!message) return parts.link().rebuild(`the broker cancelled the consumer of ${queue}`);
    cameAt = performance.now();
    const signal = gone.get(on) ?? AbortSignal.abort();
    const ack = () => {
      if (!signal.aborted) on.ack(message);
    };
    const handled = parts.handle({ message, ack, gone: signal }).finally(() => handling.delete(handled));
    handling.add(handled);
  }

  gate.onChange(() => void follow().catch((error: Error) => parts.link().rebuild(error.message)));

  return {
    setup,
    async checkAlive(afterMs) {
      if (!channel || tag === undefined || handling.size > 0) cameAt = performance.now();
      else if (performance.now() - cameAt > afterMs) {
        cameAt = performance.now();
        const { messageCount } = await channel.checkQueue(queue);
        if (messageCount > 0 && handling.size === 0)
          parts.link().rebuild(`${queue} holds ${messageCount} messages and none came for ${afterMs / 1000} s`);
      }
    },
    async drain() {
      draining = true;
      await follow().catch(() => undefined);
      await Promise.all(handling);
    },
  };
}
