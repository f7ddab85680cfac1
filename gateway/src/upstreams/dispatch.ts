import type { ServiceName } from '@muster/contracts';
import { AppError, gatewayProofs, PROOF_HEADER } from '@muster/service-kit';
import type { Request, RequestHandler } from 'express';
import type { GatewayConfig } from '../config.ts';
import { checkBodyHeaders, maxBytesOf } from '../limits/body.ts';
import { lastingLimit, lasts } from '../limits/lasting.ts';
import { destinationOf, isLogin } from '../routing/destination.ts';
import type { Breaker } from './breaker.ts';
import type { Call } from './exchange.ts';
import { requestHeaders } from './headers.ts';

const MAX_WAIT_S = 60;

export interface Upstream {
  url: URL;
  breaker: Breaker;
}
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
