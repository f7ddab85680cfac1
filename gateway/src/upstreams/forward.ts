import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import type { Agents } from './agents.ts';
import { type Call, type Exchange, mayRepeat, startExchange } from './exchange.ts';

/** Makes the function that carries a request to its service and the answer back, both as streams. */
export function createForwarder(agents: Agents): (call: Call) => void {
  const exchanges = new WeakMap<IncomingMessage, Exchange>();
  const of = (request: IncomingMessage | undefined) => request && exchanges.get(request);

  const proxyOver = (agent: Agents['kept']) =>
    createProxyMiddleware<Request, Response>({
      agent,
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
  const kept = proxyOver(agents.kept);
  const fresh = proxyOver(agents.fresh);

  return (call) => {
    const { request, response } = call;
    const sendFresh = () => void fresh(request, response);
    exchanges.set(request, startExchange(call, sendFresh));
    if (mayRepeat(request)) void kept(request, response);
    else sendFresh();
  };
}
