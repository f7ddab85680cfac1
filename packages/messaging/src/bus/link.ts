import { setMaxListeners } from 'node:events';
import { type ChannelModel, connect } from 'amqplib';
import type { Logger } from 'pino';
import { backoffMs } from '../process/backoff.rules.ts';
import { pause, within } from '../process/loop.ts';

const CONNECT_MS = 10_000;
const SETUP_MS = 30_000;
const CLOSE_MS = 2_000;
const FIRST_WAIT_MS = 100;

/**
 * One connection to the broker that comes back by itself. All that lives on it is made in `setup`, anew after each
 * loss, so there is a single way back. Our own loop, since the library's recovery can wait for ever on a close
 * handshake with a peer that is silent, and leaves errors during its setup unheard.
 */
export interface Link {
  start(): void;
  /** Ends the present connection; the loop makes the next one. */
  rebuild(reason: string): void;
  stop(): Promise<void>;
  status(): { status: 'ok' | 'degraded'; detail?: string };
  blocked(): boolean;
}

/**
 * Makes channels, topology and consumers on a new connection.
 * @param down aborts when this connection has ended, however that came
 */
export type LinkSetup = (model: ChannelModel, down: AbortSignal) => Promise<void>;

export function createLink(parts: {
  url: string;
  name: string;
  maxWaitMs: number;
  /** Whole seconds. A broker that says nothing for two to three of them is given up. */
  heartbeatMs: number;
  log: Logger;
  setup: LinkSetup;
  /** Called when the connection can be used, or used again after the broker took nothing. */
  onOpen?: () => void;
}): Link {
  const { name, log } = parts;
  const url = withHeartbeat(parts.url, parts.heartbeatMs);
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let detail: string | undefined = 'not connected yet';
  let blocked = false;
  let end: ((reason: string) => void) | undefined;
  let failures = 0;

  async function keepConnected(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await session();
      } catch (error) {
        detail = error instanceof Error ? error.message : String(error);
      }
      if (stopping.signal.aborted) return;
      failures += 1;
      const level = failures % 10 === 1 ? 'warn' : 'debug';
      log[level]({ link: name, reason: detail, failures }, 'the broker is away; connecting again');
      const wait = { baseMs: FIRST_WAIT_MS, maxMs: parts.maxWaitMs };
      await pause(backoffMs(wait, failures), stopping.signal);
    }
  }

  /** From connecting to the end of the connection, which it raises. */
  async function session(): Promise<never> {
    const socket = new AbortController();
    const down = new AbortController();
    setMaxListeners(0, down.signal);
    const ended = Promise.withResolvers<never>();
    ended.promise.catch(() => undefined);
    end = (reason) => {
      end = undefined;
      ended.reject(new Error(reason));
    };
    let model: ChannelModel | undefined;
    try {
      const connecting = connect(url, socketOptions(name, socket.signal)).then((made) =>
        heard(made, down.signal),
      );
      model = await orEnded(within(CONNECT_MS, 'the broker did not answer in time', connecting));
      await orEnded(
        within(SETUP_MS, 'the broker did not finish the set-up in time', parts.setup(model, down.signal)),
      );
      opened();
      return await ended.promise;
    } finally {
      end = undefined;
      blocked = false;
      if (model && stopping.signal.aborted)
        await within(CLOSE_MS, 'no answer', model.close()).catch(() => undefined);
      down.abort();
      socket.abort();
    }

    function orEnded<T>(work: Promise<T>): Promise<T> {
      return Promise.race([work, ended.promise]);
    }
  }

  /** Listens to a connection as soon as it is there: an error that nobody hears would end the process. */
  function heard(model: ChannelModel, down: AbortSignal): ChannelModel {
    if (down.aborted) model.close().catch(() => undefined);
    const over = (reason: string) => {
      if (!down.aborted) end?.(reason);
    };
    model.on('error', (error) => over(error.message));
    model.on('close', () => over('the broker closed the connection'));
    model.on('handler-error', (err) => log.error({ err, link: name }, 'a listener of the broker failed'));
    model.on('blocked', (reason) => {
      blocked = true;
      log.warn({ link: name, reason }, 'the broker takes no more for now');
    });
    model.on('unblocked', () => {
      blocked = false;
      parts.onOpen?.();
    });
    return model;
  }

  function opened(): void {
    if (failures > 0) log.info({ link: name }, 'connected to the broker again');
    failures = 0;
    detail = undefined;
    parts.onOpen?.();
  }

  return {
    start() {
      running ??= keepConnected();
    },
    rebuild(reason) {
      if (!end) return;
      log.warn({ link: name, reason }, 'building the connection to the broker anew');
      end(reason);
    },
    async stop() {
      stopping.abort();
      end?.('stopped');
      await running;
    },
    status: () => {
      if (blocked) return { status: 'degraded', detail: 'the broker takes no more for now' };
      return detail === undefined ? { status: 'ok' } : { status: 'degraded', detail };
    },
    blocked: () => blocked,
  };
}

function withHeartbeat(url: string, everyMs: number): string {
  const parsed = new URL(url);
  parsed.searchParams.set('heartbeat', String(everyMs / 1_000));
  return parsed.href;
}

/** With the signal, a connection whose peer is silent can be ended here and now. */
function socketOptions(name: string, signal: AbortSignal) {
  return { signal, noDelay: true, timeout: CONNECT_MS, clientProperties: { connection_name: name } };
}
