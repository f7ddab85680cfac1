import { AsyncLocalStorage } from 'node:async_hooks';
import type { Socket, TcpNetConnectOpts } from 'node:net';
import type { Response } from 'express';
import { Client, type Dispatcher } from 'undici';
import type { AnswerHead, Call, Exchange } from './exchange.ts';

/** Shorter than the services keep an idle connection, so that a request rarely meets one just closed. */
const IDLE_MS = 30_000;
const MAX_IDLE = 64;

/** One connection, made when it is needed and again when it was closed. */
interface Kept {
  client: Client;
  /** Whether the connection that is open has carried an answer. */
  used: boolean;
}

/**
 * Connections to services that are kept, each for one request at a time, by undici.
 * @param connect makes a connection, in its own time
 */
export function keptConnections(connect: (to: TcpNetConnectOpts) => Promise<Socket>) {
  const idle = new Map<string, Kept[]>();
  const open = new Set<Client>();

  function make(origin: string): Kept {
    const client = new Client(origin, {
      connect: ({ hostname, port }, done) =>
        void connect({ host: hostname, port: Number(port) }).then(
          (socket) => done(null, socket),
          (error: Error) => done(error, null),
        ),
      // The exchange has a deadline of its own.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
    });
    const kept: Kept = { client, used: false };
    client.on('connect', () => {
      kept.used = false;
    });
    open.add(client);
    return kept;
  }

  function drop({ client }: Kept): void {
    open.delete(client);
    void client.destroy();
  }

  return {
    /** Sends a request without a body and hands over what comes back. */
    send({ request, response, url }: Call, exchange: Exchange): void {
      const free = idle.get(url.origin) ?? [];
      idle.set(url.origin, free);
      const kept = free.pop() ?? make(url.origin);
      const options = {
        method: request.method as Dispatcher.HttpMethod,
        path: request.url,
        headers: { ...request.headers, host: url.host },
      };
      const over = (whole: boolean) => {
        if (!whole || free.length >= MAX_IDLE) return drop(kept);
        kept.used = true;
        free.push(kept);
      };
      kept.client.dispatch(options, carrier(response, exchange, kept, over));
    },
    destroy(): void {
      for (const client of open) void client.destroy();
    },
  };
}

/** Passes on what undici tells of one request, under the trace of the request. */
function carrier(
  response: Response,
  exchange: Exchange,
  kept: Kept,
  over: (whole: boolean) => void,
): Dispatcher.DispatchHandler {
  const inside = AsyncLocalStorage.snapshot();
  let passes = false;
  return {
    onRequestStart(controller) {
      const destroy = () => controller.abort(new Error('nobody waits for the answer'));
      exchange.sending({ reusedSocket: kept.used, destroy });
    },
    onResponseStart(_controller, statusCode, headers) {
      passes = inside(exchange.answered, { statusCode, headers } as AnswerHead);
    },
    onResponseData(controller, chunk) {
      if (!passes) return;
      exchange.progress();
      if (response.write(chunk)) return;
      controller.pause();
      response.once('drain', () => controller.resume());
    },
    onResponseEnd() {
      over(true);
      if (passes) inside(() => response.end());
    },
    onResponseError(_controller, error) {
      over(false);
      inside(exchange.broke, error);
    },
  };
}
