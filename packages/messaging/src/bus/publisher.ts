import type { ConfirmChannel } from 'amqplib';
import type { Link, LinkSetup } from './link.ts';

/** A message as it is sent. */
export interface Outgoing {
  exchange: string;
  routingKey: string;
  body: Buffer;
  messageId: string;
  type: string;
  headers?: Record<string, unknown>;
}

/** `refused`: the broker has this message and will not take it. `lost`: nobody knows; the connection says nothing. */
export class PublishError extends Error {
  readonly kind: 'refused' | 'lost';
  constructor(kind: 'refused' | 'lost', message: string) {
    super(message);
    this.kind = kind;
  }
}

export function isPublishRefused(error: unknown): error is PublishError {
  return error instanceof PublishError && error.kind === 'refused';
}

/** Sends messages and waits for the broker's confirm. */
export interface Publisher {
  setup: LinkSetup;
  ready(): boolean;
  /**
   * Persistent and mandatory.
   * @returns `confirmed`, or `unrouted` when no queue was there to take it
   * @throws PublishError
   */
  send(message: Outgoing): Promise<'confirmed' | 'unrouted'>;
}

interface Unconfirmed {
  returned: boolean;
  sentAt: number;
  fail(error: PublishError): void;
}

/** @param parts.link a function, since the link is made with this publisher's `setup` */
export function createPublisher(parts: { link: () => Link; confirmMs: number }): Publisher {
  const unconfirmed = new Map<string, Unconfirmed>();
  let open: ConfirmChannel | undefined;
  let full: { drained: Promise<void>; resolve(): void } | undefined;
  let counter = 0;
  let confirmedAt = 0;

  const setup: LinkSetup = async (model, down) => {
    const channel = await model.createConfirmChannel();
    channel.on('error', (error) => parts.link().rebuild(error.message));
    channel.on('close', () => parts.link().rebuild('the publish channel was closed'));
    // It comes before the confirm of the same message.
    channel.on('return', (message) => {
      const waiting = unconfirmed.get(String(message.properties.correlationId));
      if (waiting) waiting.returned = true;
    });
    down.addEventListener('abort', () => {
      open = undefined;
      hasRoom();
      for (const waiting of unconfirmed.values())
        waiting.fail(new PublishError('lost', 'the connection was lost before the confirm'));
    });
    if (!down.aborted) open = channel;
  };

  async function send(message: Outgoing): Promise<'confirmed' | 'unrouted'> {
    await full?.drained;
    const channel = open;
    if (!channel || parts.link().blocked()) throw new PublishError('lost', 'the broker is away');
    counter += 1;
    return await confirmation(channel, String(counter), message);
  }

  function confirmation(channel: ConfirmChannel, key: string, message: Outgoing) {
    return new Promise<'confirmed' | 'unrouted'>((resolve, reject) => {
      const settled = () => {
        clearTimeout(timer);
        unconfirmed.delete(key);
      };
      const waiting: Unconfirmed = {
        returned: false,
        sentAt: performance.now(),
        fail(error) {
          settled();
          reject(error);
        },
      };
      const late = () => {
        if (parts.link().blocked()) {
          timer = setTimeout(late, parts.confirmMs);
          return;
        }
        waiting.fail(new PublishError('lost', `no confirm within ${parts.confirmMs} ms`));
        if (confirmedAt < waiting.sentAt) parts.link().rebuild(`no confirm within ${parts.confirmMs} ms`);
      };
      let timer = setTimeout(late, parts.confirmMs);
      unconfirmed.set(key, waiting);
      write(channel, key, message, (error) => {
        if (!unconfirmed.has(key)) return;
        if (error) return waiting.fail(failureOf(error));
        confirmedAt = performance.now();
        settled();
        resolve(waiting.returned ? 'unrouted' : 'confirmed');
      });
    });
  }

  function write(
    channel: ConfirmChannel,
    key: string,
    message: Outgoing,
    confirmed: (error: unknown) => void,
  ) {
    const properties = {
      persistent: true,
      mandatory: true,
      messageId: message.messageId,
      correlationId: key,
      type: message.type,
      contentType: 'application/cloudevents+json',
      headers: message.headers,
    };
    try {
      const room = channel.publish(message.exchange, message.routingKey, message.body, properties, confirmed);
      if (!room && !full) waitForRoom(channel);
    } catch (error) {
      confirmed(error);
    }
  }

  function waitForRoom(channel: ConfirmChannel): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    full = { drained: promise, resolve };
    channel.once('drain', hasRoom);
  }

  function hasRoom(): void {
    full?.resolve();
    full = undefined;
  }

  return { setup, ready: () => open !== undefined && !parts.link().blocked(), send };
}

const NACKED = 'message nacked';

function failureOf(error: unknown): PublishError {
  const message = error instanceof Error ? error.message : String(error);
  return message === NACKED
    ? new PublishError('refused', 'the broker refused the message')
    : new PublishError('lost', message);
}
