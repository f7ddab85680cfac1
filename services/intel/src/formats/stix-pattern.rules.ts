import type { IndicatorType } from '@muster/contracts';

/** What a pattern compares, by the object paths of STIX 2.1 and the older names that are still written. */
const PATHS: readonly [RegExp, IndicatorType][] = [
  [/^ipv4-addr:value$/, 'ipv4'],
  [/^ipv6-addr:value$/, 'ipv6'],
  [/^domain-name:value$/, 'domain'],
  [/^url:value$/, 'url'],
  [/^email-addr:value$|^email-message:(?:from_ref|sender_ref)\.value$/, 'email'],
  [/^(?:file|artifact):hashes\.(?:'?MD5'?|"MD5")$/i, 'md5'],
  [/^(?:file|artifact):hashes\.(?:'?SHA-?1'?|"SHA-?1")$/i, 'sha1'],
  [/^(?:file|artifact):hashes\.(?:'?SHA-?256'?|"SHA-?256")$/i, 'sha256'],
];
const PATH = /[a-z][a-z0-9-]{1,60}:[\w.'"[\]*-]{1,120}/g;
const ONE = /\s{0,50}==?\s{0,50}'((?:[^'\\]|\\.){1,2000})'/y;
const SEVERAL = /\s{1,50}IN\s{0,50}\(((?:[^()\\]|\\.){1,20000})\)/y;
const QUOTED = /\s{0,50},?\s{0,50}'((?:[^'\\]|\\.)*)'/gy;
const MAX_VALUES = 500;

/** The values that a STIX pattern looks for, of the types that are kept; what it negates or compares otherwise is none. */
export function patternValues(pattern: string): { type: IndicatorType; value: string }[] {
  const found: { type: IndicatorType; value: string }[] = [];
  const text = pattern.slice(0, 100_000);
  for (const { 0: path, index } of text.matchAll(PATH)) {
    const type = PATHS.find(([form]) => form.test(path))?.[1];
    if (!type || /\bNOT\s*$/.test(text.slice(Math.max(0, index - 6), index))) continue;
    for (const value of comparedAt(text, index + path.length))
      if (found.length < MAX_VALUES) found.push({ type, value: value.replace(/\\(.)/g, '$1') });
  }
  return found;
}

/** What stands behind a path: one value, a list of them, or nothing that says what it equals. */
function comparedAt(text: string, at: number): string[] {
  ONE.lastIndex = at;
  const one = ONE.exec(text)?.[1];
  if (one !== undefined) return [one];
  SEVERAL.lastIndex = at;
  return [...(SEVERAL.exec(text)?.[1] ?? '').matchAll(QUOTED)].map(([, value = '']) => value);
}
