import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import type { Agents } from './agents.ts';
import { type Call, type Exchange, mayRepeat, startExchange } from './exchange.ts';

/**
 * Makes the function that carries a request to its service and the answer back, both as streams. What may be repeated
 * goes over kept connections by the shortest way, the rest through http-proxy-middleware: docs/decisions say why.
 */
export function createForwarder(agents: Agents): (call: Call) => void {
  const exchanges = new WeakMap<IncomingMessage, Exchange>();
  const of = (request: IncomingMessage | undefined) => request && exchanges.get(request);
  const fresh = createProxyMiddleware<Request, Response>({
    agent: agents.fresh,
    changeOrigin: true,
    selfHandleResponse: true,
    router: (request) => of(request)?.url ?? '',
    ejectPlugins: true,
    plugins: [
      (server) => {
        server.on('proxyReq', (outgoing, request) => {
          // Chunked bodies are sent with `close` otherwise; connections with bodies are not shared here anyway.
          outgoing.setHeader('Connection', 'keep-alive');
          of(request)?.sending(outgoing);
        });
        server.on('proxyRes', (answer, request) => of(request)?.answered(answer));
        server.on('error', (error, request) => of(request)?.broke(error));
      },
    ],
  });

  return (call) => {
    const { request, response } = call;
    const sendFresh = () => void fresh(request, response);
    const exchange = startExchange(call, sendFresh);
    exchanges.set(request, exchange);
    if (mayRepeat(request)) sendKept(call, exchange, agents);
    else sendFresh();
  };
}

function sendKept({ request, url }: Call, exchange: Exchange, { kept }: Agents): void {
  const { hostname, port, host } = url;
  const outgoing = httpRequest({
    agent: kept,
    hostname,
    port,
    method: request.method,
    path: request.url,
    headers: { ...request.headers, host, connection: 'keep-alive' },
  });
  outgoing
    .once('socket', () => exchange.sending(outgoing))
    .once('response', exchange.answered)
    .once('error', exchange.broke)
    .end();
}
