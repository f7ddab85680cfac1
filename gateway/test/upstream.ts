import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What a service was sent. */
export interface Received {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
}

export interface Upstream {
  url: string;
  port: number;
  received: Received[];
  server: Server;
  stop(): Promise<void>;
}

/** Answers with what it was sent and how many bytes of body came. */
export const echo: RequestListener = (request, response) => {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  request.on('end', () => {
    const { method, url, headers } = request;
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ method, url, headers, bytes }));
  });
};

/** A real HTTP server that stands for a service. Requests for `/ready` are answered apart and not recorded. */
export async function startUpstream(
  listener: RequestListener = echo,
  options: { port?: number; ready?: RequestListener } = {},
): Promise<Upstream> {
  const received: Received[] = [];
  const ready = options.ready ?? ((_request, response) => response.end('{"status":"ok","checks":{}}'));
  const server = createServer((request, response) => {
    if (request.url === '/ready') return void ready(request, response);
    received.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
    listener(request, response);
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    server,
    async stop() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

export interface Identity extends Upstream {
  /** Cookies that are worth a token, and how long that lives in seconds. */
  sessions: Map<string, number>;
  /** Cookies it was asked to exchange, in order. */
  exchanged: string[];
  /** Exchanges wait for this. */
  gate: Promise<void>;
}

/** Stands for identity: exchanges the cookies that a test says are good; all else goes to `listener`. */
export async function startIdentity(
  listener: RequestListener = echo,
  options: { port?: number; ready?: RequestListener } = {},
): Promise<Identity> {
  const sessions = new Map<string, number>();
  const exchanged: string[] = [];
  const exchange: RequestListener = async (request, response) => {
    const { cookie } = JSON.parse(await text(request));
    exchanged.push(cookie);
    await identity.gate;
    const lives = sessions.get(cookie);
    if (lives === undefined) return void answerProblem(response, 401);
    const expires_at = new Date(Date.now() + lives * 1000).toISOString();
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ token: `${cookie}.token${exchanged.length}`, expires_at }));
  };
  const upstream = await startUpstream((request, response) => {
    const internal = request.url === '/internal/session-tokens/' && request.method === 'POST';
    (internal ? exchange : listener)(request, response);
  }, options);
  const identity: Identity = { ...upstream, sessions, exchanged, gate: Promise.resolve() };
  return identity;
}

/** Answers with a problem of this status. */
export function answerProblem(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'application/problem+json' }).end(
    JSON.stringify({
      type: 'urn:muster:problem:x',
      title: '',
      status,
      detail: '',
      instance: '',
      request_id: '',
    }),
  );
}
