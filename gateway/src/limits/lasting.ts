import type { Endpoint } from '@muster/contracts';
import { AppError } from '@muster/service-kit';
import type { Request, Response } from 'express';
import { callerOf } from './caller.ts';

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
