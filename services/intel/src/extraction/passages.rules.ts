import type { Range } from '../formats/reading.rules.ts';

/** What a part of a report is about: what happened, what to do about it, or what to look for. */
export type Section = 'account' | 'advice' | 'indicators' | 'techniques' | 'imprint';

/** One sentence, or one line of a list, with where it stands in the text. */
export interface Sentence extends Range {
  text: string;
  section: Section;
}

const HEADINGS: readonly [Section, RegExp][] = [
  [
    'indicators',
    /^(?:indicators?(?: of (?:compromise|attack).*)?$|iocs?\b|network indicators|host indicators|file hashes|hashes$|c2 (?:servers|domains))/i,
  ],
  ['techniques', /^(?:(?:mapping to )?(?:the )?mitre\b|att&ck\b|tactics,? techniques|ttps?\b)/i],
  [
    'advice',
    /^(?:(?:[\w ]{0,25} )?(?:mitigations?|recommendations?|countermeasures|remediation|defen[cs]es?)\b|recommended actions|how to (?:protect|stay|defend|detect|prevent|mitigate)|protect(?:ing|ion) (?:yourself|your|against)|what (?:should|can|to) |staying safe|best practices|hardening|detection (?:and|opportunities)|guidance\b|workarounds?\b|next steps)/i,
  ],
  [
    'imprint',
    /^(?:about (?:us|the author|[A-Z][\w-]+$)|references$|sources$|further reading|related (?:posts|articles|reading)|acknowledge?ments|contact(?: us)?$|subscribe|disclaimer|share this)/i,
  ],
  [
    'account',
    /^(?:summary|executive summary|overview|introduction|background|key (?:findings|takeaways)|technical (?:details|analysis)|analysis|attack (?:chain|flow|overview)|infection chain|initial access|execution|persistence|privilege escalation|lateral movement|exfiltration|impact|timeline|attribution|conclusions?|victim|campaign|malware analysis)\b/i,
  ],
];
const MAX_HEADING = 80;
const MAX_SENTENCE = 1000;
const MAX_SENTENCES = 20_000;
// A full stop ends a sentence before a capital, a quote or a bracket; not in "e.g. this", "U.S. Department", "v. 2".
const END =
  /(?<![\s(.][A-Za-z]|\b(?:e\.g|i\.e|vs|Mr|Ms|Dr|Inc|Ltd|Corp|Co|No|cf|al|approx))[.!?]["”’)\]]*\s+(?=["“‘([]?[\p{Lu}\d])/gu;

/** The sentences of a text's passages, each with what its part of the report is about. */
export function sentencesOf(text: string, passages: readonly Range[]): Sentence[] {
  const found: Sentence[] = [];
  for (const passage of passages) {
    let section: Section = 'account';
    for (const line of linesOf(text, passage)) {
      section = headed(text.slice(line.start, line.end)) ?? section;
      for (const { start, end } of piecesOf(text, line)) {
        if (found.length === MAX_SENTENCES) return found;
        found.push({ text: text.slice(start, end), start, end, section });
      }
    }
  }
  return found;
}

function headed(line: string): Section | null {
  const words = line.replace(/^[#*=\d.)\s]+|(?<![#*=:\s])[#*=:\s]+$/g, '');
  if (words.length > MAX_HEADING || words === '' || /[.!?;,]$/.test(words)) return null;
  return HEADINGS.find(([, pattern]) => pattern.test(words))?.[0] ?? null;
}

function* linesOf(text: string, { start, end }: Range): Generator<Range> {
  let from = start;
  while (from < end) {
    const line = text.indexOf('\n', from);
    const to = line < 0 || line > end ? end : line;
    if (to > from) yield { start: from, end: to };
    from = to + 1;
  }
}

function* piecesOf(text: string, { start, end }: Range): Generator<Range> {
  let from = start;
  for (const match of text.slice(start, end).matchAll(END)) {
    const to = start + match.index + match[0].trimEnd().length;
    yield* bounded({ start: from, end: to });
    from = start + match.index + match[0].length;
  }
  if (from < end) yield* bounded({ start: from, end });
}

function* bounded({ start, end }: Range): Generator<Range> {
  for (let from = start; from < end; from += MAX_SENTENCE)
    yield { start: from, end: Math.min(end, from + MAX_SENTENCE) };
}

const ADVISES =
  /\b(?:should|shall|must|recommend(?:s|ed|ation)?|advis(?:e|es|ed)\b|urge[sd]?|encourage[sd]?|ensure that|make sure|best practices?|consider (?:\w+ing)|can (?:be )?(?:protect|mitigate|prevent|defend)\w*|to (?:protect|defend|mitigate|prevent|detect|guard))\b/i;
const ORDERS =
  /^(?:[•*\-–\d.)\s]*)(?:apply|update|upgrade|patch|enable|disable|monitor|block|review|implement|restrict|limit|train|deploy|ensure|use|enforce|require|keep|install|audit|segment|verify|maintain|rotate|configure|check|hunt|look for|search for|consider|follow|report|avoid|never|always|do not|don['’]t|protect|prevent|reset|isolate|turn off)\b/i;

/** True for a sentence that tells readers what to do, rather than what intruders did. */
export const isAdvice = ({ text, section }: Sentence) =>
  section === 'advice' || section === 'imprint' || ADVISES.test(text) || ORDERS.test(text);

/** The sentence around a place, by bisection. */
export function sentenceAt(sentences: readonly Sentence[], at: number): Sentence | undefined {
  let low = 0;
  let high = sentences.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const sentence = sentences[middle];
    if (!sentence) return undefined;
    if (at < sentence.start) high = middle - 1;
    else if (at >= sentence.end) low = middle + 1;
    else return sentence;
  }
  return undefined;
}
