import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { Request } from 'express';
import { sessionCookie } from '../sessions/cookie.ts';

/** What names a caller's token or session in counters: a digest, so that no secret is stored. Null without one. */
export function tokenKey(request: Pick<Request, 'headers'>): string | null {
  const secret = request.headers.authorization ?? sessionCookie(request.headers);
  return secret === undefined ? null : createHash('sha256').update(secret).digest('base64url').slice(0, 22);
}

/**
 * Where a request comes from, past the trusted proxies. Some of them add a port; where they tell no address at all
 * it is the connection's other end.
 */
export function callerAddress(request: Pick<Request, 'ip' | 'socket'>): string {
  const told = (request.ip ?? '').replace(/^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/, '$1$2');
  const address = isIP(told) ? told : (request.socket.remoteAddress ?? '');
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** An address as counters know it: IPv6 callers own at least a /64, so that is what is counted. */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - front.length - back.length;
  const groups = [...front, ...Array<string>(Math.max(0, zeros)).fill('0'), ...back];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
