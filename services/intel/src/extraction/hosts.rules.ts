import { parse } from 'tldts';
import { FILE_ENDINGS, KNOWN_HOSTS, PRODUCTS, RESERVED_NAMES } from './hosts.data.ts';

/** The part of a host that somebody has registered, such as `example.co.uk`, by the Public Suffix List. */
export const registeredOf = (host: string): string => parse(host).domain ?? host;

/** True for names that documents and private networks use. */
export const isReserved = (host: string) => RESERVED_NAMES.test(host);

/** True for hosts that everyone knows. */
export const isKnown = (host: string) =>
  KNOWN_HOSTS.has(host) || KNOWN_HOSTS.has(registeredOf(host)) || /\.(?:gov|mil)(?:\.[a-z]{2})?$/.test(host);

/** True for a host that somebody can have registered; files, code and products are none, unless written defanged. */
export function canBeHost(host: string, defanged: boolean): boolean {
  const labels = host.split('.');
  const tld = labels.at(-1) ?? '';
  if (labels.length < 2 || host.length > 253) return false;
  if (!labels.every((label) => /^(?!-)[\p{L}\p{N}_-]{1,63}(?<!-)$/u.test(label))) return false;
  if (tld === 'onion') return /^[a-z2-7]{16}$|^[a-z2-7]{56}$/.test(labels.at(-2) ?? '');
  if (defanged) return /^(?:[a-z]{2,18}|xn--[a-z0-9-]{2,40})$/.test(tld) && !['exe', 'dll'].includes(tld);
  if (PRODUCTS.test(host) || FILE_ENDINGS.has(tld)) return false;
  return parse(host).isIcann === true;
}
