import type { IncomingMessage } from 'node:http';
import type { ServiceName } from '@muster/contracts';
import { AppError, gatewayProofs, PROOF_HEADER } from '@muster/service-kit';
import type { Request, RequestHandler, Response } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import type { GatewayConfig } from '../config.ts';
import { lastingLimit, lasts } from '../limits/limits.ts';
import { destinationOf, isLogin } from '../routing/routes.ts';
import type { Agents } from './agents.ts';
import type { Upstream } from './breaker.ts';
import {
  type Call,
  checkBodyHeaders,
  type Exchange,
  maxBytesOf,
  mayRepeat,
  startExchange,
} from './exchange.ts';
import { requestHeaders } from './headers.ts';

const MAX_WAIT_S = 60;

export type Upstreams = ReadonlyMap<ServiceName, Upstream>;

/** Forwards a request to the service it is for. Raises what can be known before its body is read. */
export function dispatcher(
  upstreams: Upstreams,
  forward: (call: Call) => void,
  config: GatewayConfig,
): RequestHandler {
  const prove = proofMaker(config);
  const boundLasting = lastingLimit();
  const publicOrigin = config.PUBLIC_ORIGIN === undefined ? undefined : new URL(config.PUBLIC_ORIGIN);
  return (request, response, next) => {
    // Whoever left while their session was looked up would hold a place for the whole time-out.
    if (response.closed) return;
    const { service, endpoint } = destinationOf(response);
    checkBodyHeaders(request, maxBytesOf(endpoint));
    const upstream = upstreams.get(service);
    if (!upstream) throw new AppError('not-found', `This installation runs no ${service}.`);
    const isLasting = lasts(request, endpoint);
    if (isLasting) boundLasting(request, response);
    const passage = upstream.breaker.enter(isLasting ? 'lasting' : 'requests');
    const cookies = isLogin({ service, endpoint });
    request.headers = requestHeaders(request, { publicOrigin, cookies });
    prove(request);
    const timeoutMs = config.ANSWER_TIMEOUT_MS + waitMs(request);
    forward({ request, response, service, endpoint, url: upstream.url, timeoutMs, passage, failed: next });
  };
}

/** In development mode services take what comes without a token from the gateway alone. */
function proofMaker({ MUSTER_MODE, SERVICE_SECRET }: GatewayConfig): (request: Request) => void {
  if (MUSTER_MODE === 'production' || SERVICE_SECRET === undefined) return () => undefined;
  const proofs = gatewayProofs(SERVICE_SECRET);
  return (request) => {
    if (request.headers.authorization === undefined) request.headers[PROOF_HEADER] = proofs.make(request);
  };
}

/** What a caller is ready to wait for queued work, `Prefer: wait=N` (RFC 7240), comes on top of the time-out. */
function waitMs(request: Request): number {
  const seconds = /(?:^|,)\s*wait=(\d{1,3})\s*(?:,|$)/i.exec(String(request.headers.prefer ?? ''))?.[1];
  return Math.min(Number(seconds ?? 0), MAX_WAIT_S) * 1000;
}

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
        server.on('proxyRes', (answer, request, response) => {
          const exchange = of(request);
          if (!exchange?.answered({ statusCode: answer.statusCode ?? 502, headers: answer.headers })) return;
          answer.on('data', exchange.progress).pipe(response);
        });
        server.on('error', (error, request) => of(request)?.broke(error));
      },
    ],
  });

  return (call) => {
    const { request, response } = call;
    const sendFresh = () => void fresh(request, response);
    const exchange = startExchange(call, sendFresh);
    exchanges.set(request, exchange);
    if (mayRepeat(request)) agents.kept(call, exchange);
    else sendFresh();
  };
}
