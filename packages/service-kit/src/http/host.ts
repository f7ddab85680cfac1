import type { BaseConfig } from '../config.ts';
import { AppError } from '../errors.ts';
import { isLoopback } from '../loopback.ts';

/**
 * In development mode whoever gets through is the demo owner. A foreign page could, by letting its own name lead to
 * this machine (DNS rebinding): so only names that nobody else can have, and those that KNOWN_HOSTS and PUBLIC_ORIGIN
 * give, are answered.
 * @returns what raises `forbidden` for the Host header of a request, or what a trusted proxy says it was
 */
export function hostCheck(
  config: Pick<BaseConfig, 'MUSTER_MODE' | 'KNOWN_HOSTS'> & { PUBLIC_ORIGIN?: string | undefined },
): (host: string | undefined) => void {
  if (config.MUSTER_MODE === 'production') return () => undefined;
  const known = new Set(config.KNOWN_HOSTS);
  if (config.PUBLIC_ORIGIN) known.add(new URL(config.PUBLIC_ORIGIN).hostname);
  let last: string | undefined;
  return (host) => {
    // Nearly all ask by one name.
    if (host === undefined || host === last) return;
    const name = hostnameOf(host);
    last = name !== null && (isLoopback(name) || known.has(name)) ? host : undefined;
    if (last !== undefined) return;
    throw new AppError(
      'forbidden',
      'Development mode is for this machine: ask for localhost or 127.0.0.1, or name this host in PUBLIC_ORIGIN or KNOWN_HOSTS.',
    );
  };
}

/** The name in a Host header, as a URL has it. Null for one that is none. */
export function hostnameOf(host: string): string | null {
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}`)) return null;
  return new URL(`http://${host}`).hostname;
}
