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
const COMPARISON =
  /([a-z][a-z0-9-]{1,60}:[\w.'"[\]*-]{1,120})\s*(?:=|==)\s*'((?:[^'\\]|\\.){1,2000})'|([a-z][a-z0-9-]{1,60}:[\w.'"[\]*-]{1,120})\s+IN\s*\(((?:[^()]|\\.){1,20000})\)/g;
const MAX_VALUES = 500;

/** The values that a STIX pattern looks for, of the types that are kept; what it negates or compares otherwise is none. */
export function patternValues(pattern: string): { type: IndicatorType; value: string }[] {
  const found: { type: IndicatorType; value: string }[] = [];
  for (const match of pattern.slice(0, 100_000).matchAll(COMPARISON)) {
    const path = match[1] ?? match[3] ?? '';
    const type = PATHS.find(([form]) => form.test(path))?.[1];
    if (!type || /\bNOT\s*$/.test(pattern.slice(Math.max(0, match.index - 6), match.index))) continue;
    const values =
      match[2] !== undefined
        ? [match[2]]
        : [...(match[4] ?? '').matchAll(/'((?:[^'\\]|\\.)*)'/g)].map((one) => one[1] ?? '');
    for (const value of values)
      if (found.length < MAX_VALUES) found.push({ type, value: value.replace(/\\(.)/g, '$1') });
  }
  return found;
}
