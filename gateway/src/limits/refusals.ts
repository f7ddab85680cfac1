import type { RequestHandler } from 'express';
import type { GatewayConfig } from '../config.ts';
import { destinationOf } from '../routing/destination.ts';
import { addressKey, callerAddress, tokenKey } from './caller.ts';
import { type Counters, tooMany } from './counter.ts';
import { recentlyUsed } from './recent.ts';

const MAX_KNOWN = 10_000;

/**
 * Counts the tokens and cookies that are refused, per address. Raises `rate-limited` with Retry-After past the limit,
 * but not for those that were good the last time: many forwarders may share an address with a misconfigured one.
 */
export function refusalLimit(rates: GatewayConfig['rates'], counters: Counters): RequestHandler {
  const refusals = counters('refused', rates.refused);
  const good = recentlyUsed<true>(MAX_KNOWN);

  return async (request, response, next) => {
    const token = tokenKey(request);
    if (token === null || destinationOf(response).endpoint.role === 'public') return next();
    const address = addressKey(callerAddress(request));
    if (!good.get(token)) {
      const count = await refusals.read(address);
      if (count.exceeded) throw tooMany(count, 'requests with a token or cookie that is not valid');
    }
    response.once('close', () => {
      if (!response.headersSent) return;
      if (response.statusCode < 400) good.set(token, true);
      if (response.statusCode !== 401) return;
      good.drop(token);
      refusals.add(address).catch(() => undefined);
    });
    next();
  };
}
