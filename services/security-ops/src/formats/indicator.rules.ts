import type { EventIndicator, EventIndicatorType } from '@muster/contracts';

const HASHES: Readonly<Record<number, EventIndicatorType>> = { 32: 'md5', 40: 'sha1', 64: 'sha256' };
const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);
const IPV6 = /^(?=.*:.*:)[0-9a-f:]{2,39}(?:%\w+)?$/i;
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,253}\.[a-z]{2,63}$/i;
const URL_FORM = /^[a-z][a-z0-9+.-]{1,20}:\/\/\S+$/i;
const DOMAIN =
  /^(?=.{4,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{2,59})\.?$/i;

/** An indicator as it is, out of a form in which nobody can click it: `hxxps://evil[.]example`, `a(at)b[dot]example`. */
export function refanged(value: string): string {
  return value
    .trim()
    .replace(/^(?:hxxp|h\*\*p|meow)(s?)(?=:|\[)/i, 'http$1')
    .replace(/^fxp(?=:|\[)/i, 'ftp')
    .replace(/\[:\/\/\]|\[:\]\/\/|:\[\/\/\]/g, '://')
    .replace(/\[\.\]|\(\.\)|\{\.\}|\[dot\]|\(dot\)|\s\[dot\]\s|\\\./gi, '.')
    .replace(/\[:\]/g, ':')
    .replace(/\[@\]|\(@\)|\[at\]|\(at\)/gi, '@');
}

/** The kind of indicator that a value is. */
export function typeOf(value: string): EventIndicatorType {
  if (/^[0-9a-f]+$/i.test(value) && HASHES[value.length]) return HASHES[value.length] ?? 'other';
  if (IPV4.test(value)) return 'ipv4';
  if (IPV6.test(value)) return 'ipv6';
  if (URL_FORM.test(value)) return 'url';
  if (EMAIL.test(value)) return 'email';
  return DOMAIN.test(value) ? 'domain' : 'other';
}

/** An indicator as it is stored, from a value or from one whose type its sender knows; each once. */
export function indicatorsOf(given: readonly (string | EventIndicator)[]): EventIndicator[] {
  const found = new Map<string, EventIndicator>();
  for (const one of given) {
    const value = normal(refanged(typeof one === 'string' ? one : one.value));
    const type = typeof one === 'string' ? typeOf(value) : one.type;
    if (value !== '') found.set(`${type} ${value}`, { type, value });
  }
  return [...found.values()];
}

function normal(value: string): string {
  const type = typeOf(value);
  return type === 'url' || type === 'email' || type === 'other'
    ? value
    : value.toLowerCase().replace(/\.$/, '');
}

const IN_TEXT = new RegExp(
  [
    // A URL, defanged or not, up to what cannot be part of one.
    '\\b(?:https?|hxxps?|ftp|fxp)(?::|\\[:\\])//[^\\s"\'<>`|]{3,500}',
    // A hash.
    '\\b(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})\\b',
    // An address, defanged or not; what is part of a longer chain of numbers is a version.
    `(?<![\\d.])${OCTET}(?:(?:\\.|\\[\\.\\]|\\(\\.\\))${OCTET}){3}(?![\\d]|\\.\\d)`,
    // A domain or an e-mail address that somebody defanged, and so meant as one.
    '\\b[a-z0-9._-]{1,160}(?:(?:@|\\[@\\]|\\[at\\])[a-z0-9-]{1,63})?(?:\\[\\.\\]|\\(\\.\\)|\\[dot\\])[a-z0-9.[\\]()-]{2,100}',
  ].join('|'),
  'gi',
);
const MOST_TEXT = 20_000;

/** The indicators that a text names. Private and reserved addresses are no indicators. */
export function indicatorsIn(text: string): string[] {
  const found = text.slice(0, MOST_TEXT).match(IN_TEXT) ?? [];
  return found.map((one) => one.replace(/(?<![.,;:)\]}])[.,;:)\]}]+$/, '')).filter(isTelling);
}

const PRIVATE =
  /^(?:0|10|127)\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^192\.168\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^2(?:2[4-9]|[34]\d|5[0-5])\.|^(?:::1?$|f[cd]|fe[89ab])/i;

/** False for an address inside of a network, which tells where it was and not who it was. */
export const isTelling = (value: string) => !PRIVATE.test(refanged(value));
