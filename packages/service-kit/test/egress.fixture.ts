import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket, Server as TcpServer } from 'node:net';
import { type FetchOptions, guardedFetch } from '../src/index.ts';

/** A place on loopback that answers as tests say. */
export interface Place {
  port: number;
  /** What was asked of it, oldest first. */
  seen: IncomingMessage[];
  /** What each path answers. */
  answers: Record<string, RequestListener>;
  url(path: string): string;
  /** Calls an address under the guard; the policy names this place. */
  call(url: string, more?: Partial<FetchOptions>): ReturnType<typeof guardedFetch>;
}

const servers: (Server | TcpServer)[] = [];
const sockets = new Set<Socket>();

/** Starts a server on loopback; answers its port. */
export async function listening(server: Server | TcpServer): Promise<number> {
  servers.push(server);
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Stops every server that was started, whoever is connected. */
export async function stopAll(): Promise<void> {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.filter((one) => one.listening))
    await new Promise((resolve) => server.close(resolve));
}

export async function startPlace(): Promise<Place> {
  const seen: Place['seen'] = [];
  const answers: Place['answers'] = {};
  const server = createServer((request, response) => {
    seen.push(request);
    const answer = answers[new URL(request.url ?? '', 'http://x').pathname];
    if (answer) answer(request, response);
    else response.writeHead(404).end('nothing');
  });
  const port = await listening(server);
  return {
    port,
    seen,
    answers,
    url: (path) => `http://127.0.0.1:${port}${path}`,
    call: (url, more = {}) => guardedFetch(url, { policy: { allow: [`127.0.0.1:${port}`] }, ...more }),
  };
}

export const text = (body: Uint8Array) => Buffer.from(body).toString('utf8');
