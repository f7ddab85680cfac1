import { createHash } from 'node:crypto';
import type { Request } from 'express';

const SESSION_COOKIE = /(?:^|;\s*)__Host-muster_session=([^;]+)/;

/** What names a caller's token or session in counters: a digest, so that no secret is stored. Null without one. */
export function tokenKey(request: Request): string | null {
  const secret = request.headers.authorization ?? SESSION_COOKIE.exec(request.headers.cookie ?? '')?.[1];
  return secret === undefined ? null : createHash('sha256').update(secret).digest('base64url').slice(0, 22);
}

/** An address as counters know it: IPv6 callers own at least a /64, so that is what is counted. */
export function addressKey(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - front.length - back.length;
  const groups = [...front, ...Array<string>(Math.max(0, zeros)).fill('0'), ...back];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
