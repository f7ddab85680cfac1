import type { Request, RequestHandler } from 'express';
import type { GatewayConfig } from '../config.ts';
import { destinationOf, isLogin } from '../routing/destination.ts';
import { addressKey, callerAddress, tokenKey } from './caller.ts';
import { type Count, type Counters, showCount, tooMany } from './counter.ts';

/**
 * Counts every request per address, and per token where one is sent; says on each answer what is left (the tighter of
 * the two). Raises `rate-limited` with Retry-After when nothing is.
 */
export function rateLimits(rates: GatewayConfig['rates'], counters: Counters): RequestHandler {
  const tokens = counters('token', rates.token);
  const addresses = counters('address', rates.address);

  const counts = (request: Request): Promise<Count[]> => {
    const token = tokenKey(request);
    return Promise.all([
      addresses.add(addressKey(callerAddress(request))),
      ...(token === null ? [] : [tokens.add(token)]),
    ]);
  };

  return async (request, response, next) => {
    const tightest = (await counts(request)).reduce((a, b) => (isTighter(b, a) ? b : a));
    showCount(response, tightest);
    if (tightest.exceeded) throw tooMany(tightest, 'requests');
    next();
  };
}

/** Counts requests to the login pages per address. Raises `rate-limited` with Retry-After past a few. */
export function loginLimit(rates: GatewayConfig['rates'], counters: Counters): RequestHandler {
  const logins = counters('login', rates.login);
  return async (request, response, next) => {
    if (!isLogin(destinationOf(response))) return next();
    const count = await logins.add(addressKey(callerAddress(request)));
    if (count.remaining < Number(response.get('RateLimit-Remaining'))) showCount(response, count);
    if (count.exceeded) throw tooMany(count, 'requests to sign in');
    next();
  };
}

function isTighter(a: Count, b: Count): boolean {
  return a.exceeded === b.exceeded ? a.remaining < b.remaining : a.exceeded;
}
