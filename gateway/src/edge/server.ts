import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { GatewayConfig } from '../config.ts';
import { answerMalformed } from './refused.ts';

/** Below what services take (16 KiB), so that the headers added here always fit. */
const MAX_HEADER_BYTES = 15 * 1024;
/** Longer than load balancers usually keep an idle connection, so that it is never we who close it under a request. */
const KEEP_ALIVE_MS = 65_000;
/** Browsers open connections ahead of need. At the stop, one that still carries nothing is closed after this. */
const FIRST_REQUEST_MS = 500;

export interface EdgeServer {
  url: string;
  /** Stops accepting, ends event streams, lets the rest finish within `withinMs`, then cuts what is left. */
  stop(withinMs: number): Promise<void>;
}

/** Listens for HTTP, with limits on how long headers and requests may take to arrive. */
export async function serveEdge(
  listener: RequestListener,
  config: Pick<GatewayConfig, 'SERVICE_HOST' | 'SERVICE_PORT' | 'RECEIVE_HEADERS_MS' | 'RECEIVE_REQUEST_MS'>,
): Promise<EdgeServer> {
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: config.RECEIVE_HEADERS_MS,
    requestTimeout: config.RECEIVE_REQUEST_MS,
    connectionsCheckingInterval: Math.min(1_000, config.RECEIVE_HEADERS_MS),
    requireHostHeader: false,
  });
  // Past a number of fields Node would drop the rest in silence; they are counted and refused instead.
  server.maxHeadersCount = 0;
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  const inFlight = new Set<ServerResponse>();
  server.on('request', (request, response) => {
    unused.delete(request.socket);
    inFlight.add(response);
    response.once('close', () => inFlight.delete(response));
    // Node reads nothing after an upgrade that was asked for, and not even one that is not granted.
    if (request.headers.upgrade !== undefined) response.setHeader('Connection', 'close');
  });
  server.on('request', listener).on('checkExpectation', (...call) => server.emit('request', ...call));
  server.on('connect', (_request, socket) => answerMalformed(new Error('CONNECT is for proxies'), socket));
  server.on('clientError', (error, socket) => {
    const begun = [...inFlight].some((response) => response.socket === socket && response.headersSent);
    if (begun) socket.destroy();
    else answerMalformed(error, socket);
  });
  return {
    url: await listen(server, config.SERVICE_PORT, config.SERVICE_HOST),
    stop: (withinMs) => drain(server, { inFlight, unused, withinMs }),
  };
}

/** Listens and gives the address, such as `http://127.0.0.1:8080`. Raises one line when the port is taken. */
export async function listen(server: Server, port: number, host: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      reject(taken ? new Error(`port ${port} on ${host} is in use by another program`) : error);
    });
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
}

async function drain(
  server: Server,
  open: { inFlight: ReadonlySet<ServerResponse>; unused: ReadonlySet<Socket>; withinMs: number },
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  for (const response of open.inFlight) {
    if (isEventStream(response)) response.end();
    else if (!response.headersSent) response.setHeader('Connection', 'close');
  }
  const timers = [
    setInterval(() => server.closeIdleConnections(), 100),
    setTimeout(() => open.unused.forEach((socket) => void socket.destroy()), FIRST_REQUEST_MS),
    setTimeout(() => server.closeAllConnections(), open.withinMs),
  ];
  await closed;
  timers.forEach(clearTimeout);
}

/** It has no end of its own; whoever reads it connects again. */
const isEventStream = (response: ServerResponse) =>
  String(response.getHeader('content-type') ?? '').startsWith('text/event-stream');
