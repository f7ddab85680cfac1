import type { IndicatorType } from '@muster/contracts';
import { actorNamed, softwareNamed } from '../extraction/names.rules.ts';
import { stringOf } from './json.rules.ts';
import { observable } from './observable.rules.ts';
import type { Fact } from './writer.rules.ts';

type Json = Record<string, unknown>;

/** Attribute types of MISP that are indicators, https://www.misp-project.org/datamodels/. Of two joined by `|` each has its own. */
const TYPES: Readonly<Record<string, IndicatorType | 'ip'>> = {
  'ip-src': 'ip',
  'ip-dst': 'ip',
  ip: 'ip',
  domain: 'domain',
  hostname: 'domain',
  url: 'url',
  uri: 'url',
  md5: 'md5',
  sha1: 'sha1',
  sha256: 'sha256',
  email: 'email',
  'email-src': 'email',
  'email-dst': 'email',
};

/** What an attribute says. One that its author marks as no use for detection is no indicator. */
export function attributeFacts(attribute: Json): Fact[] {
  const type = stringOf(attribute.type);
  const value = stringOf(attribute.value).trim();
  if (type === 'vulnerability' && /^CVE-\d{4}-\d{4,7}$/i.test(value))
    return [{ kind: 'cve', value: value.toUpperCase(), words: value }];
  if (type === 'threat-actor') return [{ kind: 'actor', value: actorNamed(value), words: value }];
  if (type === 'malware-type' || type === 'malware-family') {
    const software = softwareNamed(value);
    return [{ kind: software.kind, value: software.value, words: value }];
  }
  if (attribute.to_ids === false || attribute.to_ids === '0') return [];
  const types = type.split('|');
  const values = types.length > 1 ? value.split('|') : [value];
  return types.flatMap((one, index) => indicatorFact(TYPES[one], values[index]?.trim() ?? ''));
}

function indicatorFact(type: IndicatorType | 'ip' | undefined, words: string): Fact[] {
  if (type === undefined || words === '') return [];
  const known = type === 'ip' ? (words.includes(':') ? 'ipv6' : 'ipv4') : type;
  const value = observable(known, words);
  return value === null ? [] : [{ kind: 'indicator', type: known, value, words }];
}

/** True for an attribute that people have written for people. */
export const isComment = ({ type }: Json) => type === 'comment' || type === 'text' || type === 'other';
