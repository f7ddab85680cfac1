import { z } from 'zod';
import { AppError } from '../errors.ts';
import { isPublicAddress } from './public-address.ts';

/**
 * What may be called beside https on the public internet. Each entry is a `host` for its ports 80 and 443, or a
 * `host:port` for that one; the host may then be a private one, and http will do.
 */
export interface EgressPolicy {
  allow: readonly string[];
}

const FORM = 'expected hosts such as ollama:11434, separated by commas';

/** The variable of a service that calls addresses of users, such as `EGRESS_ALLOW=ollama:11434,siem.internal`. */
export const egressPolicy = z
  .string()
  .default('')
  .transform(
    (variable): EgressPolicy => ({ allow: variable.split(',').flatMap((host) => host.trim() || []) }),
  )
  .refine(({ allow }) => allow.every((entry) => listed(entry) !== null), FORM);

/**
 * Reads an address that a user gave and decides what can be decided without asking DNS.
 * @returns the address in its canonical form, and whether the policy names it
 * @throws AppError `url-not-allowed` that says what is wrong with it
 */
export function checkedUrl(given: string | URL, policy: EgressPolicy): { url: URL; named: boolean } {
  const url = parsed(given);
  if (url.username !== '' || url.password !== '')
    throw refused('The address may not hold a user name or password.');
  const named = policy.allow.some((entry) => isNamed(url, entry));
  if (named) return { url, named };
  if (url.protocol !== 'https:') throw refused('Only https addresses can be called.');
  if (url.port !== '') throw refused('Only the port 443 can be called.');
  if (isLiteral(url) && !isPublicAddress(bareHost(url))) throw refusedInside(url);
  return { url, named };
}

/** The host as sockets and DNS take it: an IPv6 address without its brackets. */
export const bareHost = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '');

export const refusedInside = (url: URL) =>
  refused(`${url.hostname} is not an address of the public internet.`);

export const refused = (detail: string) => new AppError('url-not-allowed', detail);

/** `new URL` writes decimal, octal and hexadecimal addresses, capitals and other alphabets in one way. */
function parsed(given: string | URL): URL {
  if (!URL.canParse(String(given))) throw refused('This is no address that can be called.');
  const url = new URL(given);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refused('Only https addresses can be called.');
  // `example.org.` is example.org, also for certificates.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  if (url.hostname === '' || url.hostname.endsWith('.'))
    throw refused('This is no address that can be called.');
  return url;
}

const isLiteral = (url: URL) => url.hostname.startsWith('[') || /^[\d.]+$/.test(url.hostname);

function isNamed(url: URL, entry: string): boolean {
  const known = listed(entry);
  if (known?.hostname !== url.hostname) return false;
  if (known.port === '') return url.port === '';
  return known.port === (url.port || (url.protocol === 'https:' ? '443' : '80'));
}

/** An entry of a policy; its port is empty for the usual ones. Null for what is none. */
function listed(entry: string): { hostname: string; port: string } | null {
  const [, host = '', port = ''] = /^(\[[^\]]+\]|[^:/?#@\s]+)(?::(\d{1,5}))?$/.exec(entry) ?? [];
  if (!/[^.]\.?$/.test(host) || !URL.canParse(`http://${host}/`)) return null;
  return { hostname: parsed(`http://${host}/`).hostname, port };
}
