import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** What a request says of its caller beside who they are. */
export interface Caller {
  accept: string | undefined;
  userAgent: string | undefined;
  cookies: Readonly<Record<string, string>>;
}

/** Reads the headers that handlers may look at. Of two cookies with one name the first counts. */
export function callerOf(request: IncomingMessage): Caller {
  const { accept, cookie = '' } = request.headers;
  const pairs = cookie.split(';').map((pair) => pair.trim().split(/=(.*)/s, 2) as [string, string?]);
  const named = pairs.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return {
    accept,
    userAgent: request.headers['user-agent']?.slice(0, 300),
    cookies: Object.fromEntries(named.reverse()),
  };
}

/** Where a request came from: as the gateway says, which drops what callers claim, else the connection's other end. */
export function addressOf(request: IncomingMessage): string | null {
  const told = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .at(-1)
    ?.trim();
  const address = told && isIP(told) ? told : request.socket.remoteAddress;
  return address?.replace(/^::ffff:(?=\d+\.)/, '') ?? null;
}
