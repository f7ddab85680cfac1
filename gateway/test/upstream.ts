import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

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
