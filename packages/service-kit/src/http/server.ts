import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

const HEADERS_TIMEOUT_MS = 15_000;
/** Longer than the gateway keeps idle connections, so that it never writes to one that is just being closed. */
const KEPT_MS = 75_000;
const STOP_MS = 25_000;

export interface Served {
  /** Such as `http://127.0.0.1:8081`. */
  url: string;
  /** Takes nothing new and waits until what is under way has been answered, 25 s at most. */
  close(): Promise<void>;
}

/** Listens for requests; port 0 takes any. Raises one line when the address is taken. */
export async function serve(app: RequestListener, at: { host: string; port: number }): Promise<Served> {
  const server = createServer(app);
  server.keepAliveTimeout = KEPT_MS;
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(at.port, at.host, resolve);
  });
  const { address, family, port } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    close: () => close(server, sockets),
  };
}

async function close(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // Again and again: a kept connection becomes idle only when its request has been answered.
  const idle = setInterval(() => {
    server.closeIdleConnections();
    // One that was opened ahead of a request does not count as idle yet.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  }, 50);
  const forced = setTimeout(() => server.closeAllConnections(), STOP_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(forced);
}
