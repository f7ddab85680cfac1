import type { Find } from '../formats/reading.rules.ts';
import { actorNamed, isCompared } from './names.rules.ts';
import { isAdvice, type Sentence } from './passages.rules.ts';

/** Names by which makers of reports number actors that they know little of. */
const NUMBERED =
  /(?<![\p{L}\p{N}-])(?:UNC\d{3,5}|APT[- ]?C[- ]?\d{2}|APT ?\d{1,3}|TA(?!00)\d{3,4}|FIN\d{1,2}|DEV-\d{4}|Storm-\d{4}|UAC-\d{4}|UAT-\d{4,5}|TAG-\d{2,3}|CL-(?:STA|CRI|UNK)-\d{3,4}|UTA\d{4}|TGR-[A-Z]+-\d{4})(?![\p{L}\p{N}])/gu;
/** "Fog ransomware", "the ransomware group Fog". */
const RANSOMWARE =
  /(?<!^|[.!?:] |["“]|[\p{L}\p{N}-])(\p{Lu}[\p{L}\p{N}]{2,20})(?= ransomware\b)|(?<=\bransomware (?:group|gang|operation|family|strain|variant)(?:,| known as| called| named| dubbed)? ["“]?)(\p{Lu}[\p{L}\p{N}]{2,20})/gu;
const CAPITAL = /\p{Lu}[\p{L}\p{N}]{2,20}/gu;
const NO_NAMES =
  /^(?:Windows|Linux|VMware|ESXi|Android|Mac|MacOS|New|The|This|That|Their|These|Those|Modern|Major|Global|Russian|Chinese|Iranian|Korean|Ukrainian|American|European|Double|Triple|Anti|Any|Most|Many|Some|All|No|Every|Each|Other|Recent|Several|Suspected|Alleged|Microsoft|Cisco|Google|Sophos|CISA|FBI|Stop|StopRansomware|Human|Enterprise|Targeted|Despite|When|While|After|Before|Because|How|What|Why|In|On|For|With|From|And|But|Healthcare|Hospital|Cyber|Crypto|Fake|Novel|Active|Emerging|Prolific|Notorious|Infamous)$/;
const MIN_MENTIONS = 2;

/** Actors and ransomware that ATT&CK does not know yet, where a text names them by a usual form. */
export function newNamesIn(text: string, sentences: readonly Sentence[], known: ReadonlySet<string>): Find[] {
  const found: Find[] = [];
  const mentions = mentionsIn(text);
  for (const sentence of sentences) {
    if (sentence.section === 'imprint') continue;
    for (const match of sentence.text.matchAll(NUMBERED)) {
      const value = match[0].replace(/^APT[- ](?=\d)/, 'APT');
      if (isCompared(sentence.text.slice(0, match.index)) || actorNamed(value) !== value) continue;
      if (!known.has(value.toLowerCase())) found.push(findOf('actor', value, sentence, match));
    }
    if (isAdvice(sentence)) continue;
    for (const match of sentence.text.matchAll(RANSOMWARE)) {
      const [value] = match;
      if (known.has(value.toLowerCase()) || NO_NAMES.test(value) || (mentions.get(value) ?? 0) < MIN_MENTIONS)
        continue;
      found.push(findOf('malware', value, sentence, match));
    }
  }
  return found;
}

function findOf(kind: 'actor' | 'malware', value: string, sentence: Sentence, match: RegExpMatchArray): Find {
  const start = sentence.start + (match.index ?? 0);
  return { kind, value, start, end: start + match[0].length, how: 'name' };
}

/** How often a text writes each name with a capital. */
function mentionsIn(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [name] of text.matchAll(CAPITAL)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
