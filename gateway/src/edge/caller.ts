import { hash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { SESSION_COOKIE } from '@muster/contracts';
import type { Request } from 'express';

/** Who sends a request, as far as the edge knows. */
export interface Caller {
  address: string;
  /** What counts for the address: IPv6 callers own at least a /64, so that is what is counted. */
  addressKey: string;
  /** What names the token or session in counters: a digest, so that no secret is stored. Null without one. */
  tokenKey: string | null;
}

const callers = new WeakMap<IncomingMessage, Caller>();

/** Looks at a request once, however many steps ask. */
export function callerOf(request: Request): Caller {
  const known = callers.get(request);
  if (known) return known;
  const address = callerAddress(request);
  const caller = { address, addressKey: addressKey(address), tokenKey: tokenKey(request) };
  callers.set(request, caller);
  return caller;
}

/** Whatever the scheme is called and however it is written, the token is the same. */
const SCHEME = /^\s*[A-Za-z]+\s+/;

function tokenKey({ headers }: Pick<Request, 'headers'>): string | null {
  const secret = headers.authorization?.replace(SCHEME, '').trim() ?? sessionCookie(headers);
  return secret === undefined ? null : hash('sha256', secret, 'base64url').slice(0, 22);
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

/** An address as counters know it. */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - front.length - back.length;
  const groups = [...front, ...Array<string>(Math.max(0, zeros)).fill('0'), ...back];
  return `${groups.slice(0, 4).join(':')}::/64`;
}

const NAMED = new RegExp(`(?:^|;)\\s*${SESSION_COOKIE}=([^;]+)`);

/**
 * The web session cookie that a request is to be judged by: undefined where there is none or an Authorization header
 * counts in its place. Of two the first counts, as in the services.
 */
export function sessionCookie(headers: IncomingHttpHeaders): string | undefined {
  if (headers.authorization !== undefined) return undefined;
  return NAMED.exec(headers.cookie ?? '')?.[1]?.trim() || undefined;
}
