import type { ServiceName } from '@muster/contracts';
import { AppError } from '@muster/service-kit';
import type { Request, RequestHandler } from 'express';
import type { GatewayConfig } from '../config.ts';
import { checkBodyHeaders, maxBytesOf } from '../limits/body.ts';
import { answerOptions, redirectTo } from '../routing/answers.ts';
import { locate } from '../routing/routes.ts';
import { targetOf } from '../routing/target.ts';
import type { Breaker } from './breaker.ts';
import type { Call } from './exchange.ts';
import { requestHeaders } from './headers.ts';

const MAX_WAIT_S = 60;

export interface Upstream {
  url: string;
  breaker: Breaker;
}

/** Finds the service a request is for, checks what can be checked before its body is read, and forwards it. */
export function dispatcher(
  upstreams: ReadonlyMap<ServiceName, Upstream>,
  forward: (call: Call) => void,
  config: Pick<GatewayConfig, 'PUBLIC_ORIGIN' | 'ANSWER_TIMEOUT_MS'>,
): RequestHandler {
  return (request, response, next) => {
    const located = locate(request.method, targetOf(request.url));
    if (located.kind === 'redirect') return redirectTo(response, located.location);
    if (located.kind === 'options') return answerOptions(response, located.allow);
    const { service, endpoint, name } = located.to;
    response.locals.endpoint = name;
    checkBodyHeaders(request, maxBytesOf(endpoint));
    const upstream = upstreams.get(service);
    if (!upstream) throw new AppError('not-found', 'There is no job with this id.');
    const passage = upstream.breaker.enter();
    request.headers = requestHeaders(request, config.PUBLIC_ORIGIN);
    const timeoutMs = config.ANSWER_TIMEOUT_MS + waitMs(request);
    forward({ request, response, service, endpoint, url: upstream.url, timeoutMs, passage, failed: next });
  };
}

/** What a caller is ready to wait for queued work, `Prefer: wait=N` (RFC 7240), comes on top of the time-out. */
function waitMs(request: Request): number {
  const seconds = /(?:^|,)\s*wait=(\d{1,3})\s*(?:,|$)/i.exec(String(request.headers.prefer ?? ''))?.[1];
  return Math.min(Number(seconds ?? 0), MAX_WAIT_S) * 1000;
}
