import type { Endpoint } from '@muster/contracts';
import { AppError } from '@muster/service-kit';
import type { Request, RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { GatewayConfig } from '../config.ts';
import { callerOf } from '../edge/caller.ts';
import { destinationOf, isLogin } from '../routing/routes.ts';
import { type Count, type Counters, showCount, tooMany } from './counters.ts';

type Rates = GatewayConfig['rates'];
const MAX_GOOD = 10_000;

/**
 * Counts every request per address, and per token where one is sent; says on each answer what is left (the tighter of
 * the two). Raises `rate-limited` with Retry-After when nothing is.
 */
export function rateLimits(rates: Rates, counters: Counters): RequestHandler {
  const tokens = counters('token', rates.token);
  const addresses = counters('address', rates.address);

  return async (request, response, next) => {
    const { addressKey, tokenKey } = callerOf(request);
    const [ofAddress, ofToken] = [addresses.add(addressKey), tokenKey === null ? null : tokens.add(tokenKey)];
    const tightest = tighter(await ofAddress, await ofToken);
    showCount(response, tightest);
    if (tightest.exceeded) throw tooMany(tightest, 'requests');
    next();
  };
}

function tighter(a: Count, b: Count | null): Count {
  if (b === null) return a;
  const isB = a.exceeded === b.exceeded ? b.remaining < a.remaining : b.exceeded;
  return isB ? b : a;
}

/** Counts requests to the login pages per address. Raises `rate-limited` with Retry-After past a few. */
export function loginLimit(rates: Rates, counters: Counters): RequestHandler {
  const logins = counters('login', rates.login);
  return async (request, response, next) => {
    if (!isLogin(destinationOf(response))) return next();
    const count = await logins.add(callerOf(request).addressKey);
    if (count.remaining < Number(response.getHeader('RateLimit-Remaining'))) showCount(response, count);
    if (count.exceeded) throw tooMany(count, 'requests to sign in');
    next();
  };
}

/**
 * Counts the tokens and cookies that are refused, per address. Raises `rate-limited` with Retry-After past the limit,
 * but not for those that were good the last time: many forwarders may share an address with a misconfigured one.
 */
export function refusalLimit(rates: Rates, counters: Counters): RequestHandler {
  const refusals = counters('refused', rates.refused);
  const good = new LRUCache<string, true>({ max: MAX_GOOD });

  return async (request, response, next) => {
    const { tokenKey, addressKey } = callerOf(request);
    if (tokenKey === null || destinationOf(response).endpoint.role === 'public') return next();
    if (!good.get(tokenKey)) {
      const count = await refusals.read(addressKey);
      if (count.exceeded) throw tooMany(count, 'requests with a token or cookie that is not valid');
    }
    response.once('close', () => {
      if (!response.headersSent) return;
      if (response.statusCode < 400) good.set(tokenKey, true);
      if (response.statusCode !== 401) return;
      good.delete(tokenKey);
      void refusals.add(addressKey);
    });
    next();
  };
}

const MAX_OF_CALLER = 100;

/** True for what lasts: an event stream, or a wait for queued work (RFC 7240; without `Prefer` services wait 10 s). */
export function lasts(request: Request, endpoint: Endpoint): boolean {
  if (endpoint.produces === 'text/event-stream') return true;
  if (endpoint.delivery !== 'queue') return false;
  const { prefer } = request.headers;
  return prefer === undefined || /wait=(?!0+\b)/i.test(String(prefer));
}

/**
 * Bounds what lasts for each token or session, without one for each address; services do so per person and
 * organization. Raises `rate-limited` with Retry-After past a hundred.
 */
export function lastingLimit() {
  const open = new Map<string, number>();
  return (request: Request, response: Response): void => {
    const { tokenKey, addressKey } = callerOf(request);
    const key = tokenKey ?? addressKey;
    const count = open.get(key) ?? 0;
    if (count >= MAX_OF_CALLER)
      throw new AppError(
        'rate-limited',
        `${MAX_OF_CALLER} event streams and waits are open for you: close some, or send \`Prefer: respond-async\`.`,
        { headers: { 'retry-after': '5' } },
      );
    open.set(key, count + 1);
    response.once('close', () => {
      const left = (open.get(key) ?? 1) - 1;
      if (left > 0) open.set(key, left);
      else open.delete(key);
    });
  };
}
