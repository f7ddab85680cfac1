import type { IndicatorType } from '@muster/contracts';
import { isPublicAddress } from '@muster/service-kit/public-address';
import type { Find, Range } from '../formats/reading.rules.ts';
import { AT, DOT, isDefanged, refang, SCHEME } from './defang.rules.ts';
import { canBeHost, isKnown, isReserved, registeredOf } from './hosts.rules.ts';
import { type Sentence, sentenceAt } from './passages.rules.ts';

const LABEL = String.raw`[\p{L}\p{N}_](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}_])?`;
const HOST = `${LABEL}(?:${DOT}${LABEL}){1,10}`;
const OCTET = String.raw`(?:25[0-5]|2[0-4]\d|1?\d?\d)`;
const BEFORE = String.raw`(?<![\p{L}\p{N}_@])`;
const FORMS: readonly [IndicatorType, RegExp][] = [
  ['url', new RegExp(String.raw`${BEFORE}${SCHEME}[^\s<>"'“”‘’\u0060|^]{3,2000}`, 'giu')],
  ['email', new RegExp(String.raw`(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}${AT}${HOST}`, 'gu')],
  ['sha256', /(?<![0-9a-zA-Z])[0-9a-f]{64}(?![0-9a-zA-Z])/gi],
  ['sha1', /(?<![0-9a-zA-Z/])[0-9a-f]{40}(?![0-9a-zA-Z])/gi],
  ['md5', /(?<![0-9a-zA-Z/])[0-9a-f]{32}(?![0-9a-zA-Z])/gi],
  ['ipv6', /(?<![\p{L}\p{N}:.])[0-9a-f]{0,4}(?:(?::|\[:\])[0-9a-f]{0,4}){2,8}(?![\p{L}\p{N}:])/giu],
  [
    'ipv4',
    new RegExp(
      String.raw`(?<![\p{L}\p{N}.\-])${OCTET}(?:${DOT}${OCTET}){3}(?:\/\d{1,2}\b)?(?![\p{L}\p{N}]|\.\d)`,
      'gu',
    ),
  ],
  [
    'domain',
    new RegExp(String.raw`(?<![\p{L}\p{N}._@\\\/$-])${HOST}(?![\p{L}\p{N}_\-(]|\.[\p{L}\p{N}])`, 'gu'),
  ],
];
const MAX_FINDS = 3000;
/** Of files with nothing in them. */
const EMPTY =
  /^(?:d41d8cd98f00b204e9800998ecf8427e|da39a3ee5e6b4b0d3255bfef95601890afd80709|e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855|(.)\1+)$/;
/** Resolvers that malware asks only to see whether there is a network. */
const RESOLVERS = new Set([
  '8.8.8.8',
  '8.8.4.4',
  '1.1.1.1',
  '1.0.0.1',
  '9.9.9.9',
  '208.67.222.222',
  '208.67.220.220',
]);

/** Words near which an address that is written plainly belongs to the intruders. */
const CONTEXT =
  /\b(?:c2|c&c|cnc|command[- ]and[- ]control|beacon\w*|contact(?:s|ed|ing)|connect(?:s|ed|ing|ions?)?|call(?:s|ed)? (?:back|home)|callback|resolv\w+|download(?:s|ed|ing)?|host(?:s|ed|ing)|phish\w*|malicious|malware|payload|infrastructure|iocs?|indicators?|exfiltrat\w*|redirect\w*|(?:attacker|actor|adversary)[- ](?:controlled|owned|operated)|drop(?:s|ped)|fetch\w*|retriev\w+|communicat\w*|registered|typosquat\w*|look-?alike|spoof\w*|server at|traffic (?:to|from)|originat\w+|scann\w+ from|brute[- ]?forc\w*|log(?:ged|ins?) from|staging|landing page|leak site|upload(?:s|ed)? to|sent to|post(?:s|ed)? to|reached out|proxy|tunnel\w*|fake|impersonat\w+)\b/i;
const VERSION =
  /\b(?:v|ver|versions?|releases?|builds?|firmware|updates?|patch(?:es|ed)?|upgrad\w+|fix(?:es|ed)?|before|prior to|earlier than|through|up to|fortios|chrome|firefox|edge|pan-os|junos|ios xe|software|driver|agent|branch(?:es)?|hotfix)\b[^.;\n]{0,30}$/i;
/** Addresses of offices rather than of intruders. */
const OFFICE =
  /^(?:press|media|info|contact|security|abuse|support|sales|pr|hello|help|cert|csirt|soc|psirt|noc|tips?|news|editor|webmaster|privacy|legal|hr|jobs|report|cyber\w*)@/i;

export interface IndicatorFinds {
  finds: Find[];
  /** Addresses that are only referred to. */
  references: string[];
}

/**
 * The indicators that stand in sentences, with where they stand. What is written plainly counts only where the text
 * says that intruders use it; what belongs to the publisher, everyone, documents or private networks never does.
 * @param hosts the publisher's own
 */
export function indicatorsIn(
  text: string,
  sentences: readonly Sentence[],
  hosts: readonly string[],
): IndicatorFinds {
  const own = new Set(hosts.map(registeredOf));
  const taken: Range[] = [];
  const finds: Find[] = [];
  const references = new Set<string>();
  const isTaken = taker(taken);
  for (const [type, form] of FORMS) {
    const claimed: Range[] = [];
    for (const match of text.matchAll(form)) {
      const written = type === 'url' ? urlEnd(match[0]) : match[0];
      const start = match.index;
      const end = start + written.length;
      const sentence = sentenceAt(sentences, start);
      if (!sentence || isTaken(start, end)) continue;
      const judgement = judge(type, written, { text, start, sentence, own });
      if (judgement === null) continue;
      claimed.push({ start, end });
      if (judgement.verdict === 'indicator' && finds.length < MAX_FINDS)
        finds.push({ kind: 'indicator', type, value: judgement.value, start, end, how: 'form' });
      if (judgement.verdict === 'reference') references.add(judgement.value);
    }
    taken.push(...claimed);
    taken.sort((one, other) => one.start - other.start);
  }
  return { finds: finds.sort((one, other) => one.start - other.start), references: [...references] };
}

interface Place {
  text: string;
  start: number;
  sentence: Sentence;
  own: ReadonlySet<string>;
}
/** `nothing` is none, but its words are no other find either. */
type Judgement = { verdict: 'indicator' | 'reference' | 'nothing'; value: string } | null;

function judge(type: IndicatorType, written: string, place: Place): Judgement {
  switch (type) {
    case 'url':
      return judgeUrl(written, place);
    case 'email':
      return judgeEmail(written, place);
    case 'ipv4':
      return judgeIpv4(written, place);
    case 'ipv6': {
      const value = refang(written).toLowerCase();
      return isPublicAddress(value) ? { verdict: 'indicator', value } : null;
    }
    case 'domain':
      return judgeDomain(written, place);
    default: {
      const value = written.toLowerCase();
      const isHash = /[a-f]/.test(value) && /\d/.test(value) && !EMPTY.test(value) && !isCommit(place);
      return { verdict: isHash ? 'indicator' : 'nothing', value };
    }
  }
}

const isCommit = ({ text, start }: Place) =>
  /\b(?:commit|revision|changeset|git)\W{1,3}$/i.test(text.slice(Math.max(0, start - 20), start));
const isTold = ({ sentence }: Place) => sentence.section === 'indicators' || CONTEXT.test(sentence.text);

function judgeUrl(written: string, place: Place): Judgement {
  const defanged = isDefanged(written.slice(0, 300));
  const plain = refang(written);
  if (!URL.canParse(plain)) return null;
  const { hostname, href } = new URL(plain);
  const host = hostname.replace(/^\[|\]$/g, '');
  const value = plain.includes('/', plain.indexOf('://') + 3) ? href : href.replace(/\/$/, '');
  const isAddress = isPublicAddress(host);
  if (!isAddress && (isReserved(host) || !canBeHost(host, true))) return { verdict: 'nothing', value };
  if (place.own.has(registeredOf(host))) return { verdict: 'reference', value };
  if (defanged) return { verdict: 'indicator', value };
  if (isKnown(host) || (!isAddress && !isTold(place))) return { verdict: 'reference', value };
  return { verdict: 'indicator', value };
}

function judgeEmail(written: string, place: Place): Judgement {
  const value = refang(written).toLowerCase();
  const host = value.split('@')[1] ?? '';
  const defanged = isDefanged(written);
  if (isReserved(host) || !canBeHost(host, defanged)) return { verdict: 'nothing', value };
  if (defanged) return { verdict: 'indicator', value };
  const isIntruder =
    isTold(place) ||
    /\b(?:ransom|note|victims? (?:to|were|are)|contact (?:the|them|us)|negotiat|extort|sender|sent (?:from|by)|protonmail|tutanota|onionmail)\b/i.test(
      place.sentence.text,
    );
  const isOurs = place.own.has(registeredOf(host)) || isKnown(host) || OFFICE.test(value);
  return {
    verdict: isIntruder && !isOurs && place.sentence.section !== 'imprint' ? 'indicator' : 'nothing',
    value,
  };
}

function judgeIpv4(written: string, place: Place): Judgement {
  const value = refang(written);
  const [address = '', bits] = value.split('/');
  if (!isPublicAddress(address)) return { verdict: 'nothing', value };
  if (bits !== undefined && (Number(bits) < 8 || Number(bits) > 32)) return null;
  if (isDefanged(written)) return { verdict: 'indicator', value };
  const before = place.text.slice(Math.max(place.sentence.start, place.start - 45), place.start);
  const isVersion =
    VERSION.test(before) || (isLow(address) && !isAlone(written, place) && !CONTEXT.test(before));
  return { verdict: isVersion || RESOLVERS.has(address) ? 'nothing' : 'indicator', value };
}

/** Versions have low numbers. */
const isLow = (address: string) => address.split('.').every((octet) => Number(octet) < 30);
/** On a line of its own, but for a port or a bullet. */
const isAlone = (written: string, { sentence }: Place) => sentence.text.length < written.length + 12;

function judgeDomain(written: string, place: Place): Judgement {
  const defanged = isDefanged(written);
  const value = refang(written).toLowerCase().replace(/\.$/, '');
  if (/^[\d.]+$/.test(value) || !canBeHost(value, defanged)) return null;
  if (!defanged && /\p{Lu}/u.test(written) && written !== written.toUpperCase())
    return isKnown(value) ? { verdict: 'reference', value } : null;
  if (isReserved(value)) return { verdict: 'nothing', value };
  if (place.own.has(registeredOf(value))) return { verdict: 'reference', value };
  if (defanged || value.endsWith('.onion')) return { verdict: 'indicator', value };
  return { verdict: isKnown(value) || !isTold(place) ? 'reference' : 'indicator', value };
}

const PAIRS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
const STOPS = '.,;:!?…»';

/** An address ends before the marks that end the sentence or bracket around it. */
function urlEnd(written: string): string {
  const left = new Map<string, number>();
  for (const mark of written) left.set(mark, (left.get(mark) ?? 0) + 1);
  let end = written.length;
  for (; end > 0; end -= 1) {
    const mark = written[end - 1] ?? '';
    const opening = PAIRS[mark];
    const closes = opening !== undefined && (left.get(mark) ?? 0) > (left.get(opening) ?? 0);
    if (!closes && !STOPS.includes(mark)) break;
    left.set(mark, (left.get(mark) ?? 0) - 1);
  }
  return written.slice(0, end);
}

/** Tells whether a range lies over one that is taken; `taken` is sorted whenever this is asked. */
function taker(taken: readonly Range[]) {
  return (start: number, end: number): boolean => {
    let low = 0;
    let high = taken.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((taken[middle]?.end ?? 0) <= start) low = middle + 1;
      else high = middle;
    }
    const next = taken[low];
    return next !== undefined && next.start < end;
  };
}
