import { techniqueOf } from '@muster/attack';
import type { Indicator, IntelSeverity, IntelTechnique, TlpLabel } from '@muster/contracts';
import { type Find, oneLine, type Reading } from '../formats/reading.rules.ts';
import { behavioursIn } from './behaviours.rules.ts';
import { datesIn } from './dates.rules.ts';
import { defang } from './defang.rules.ts';
import { indicatorsIn } from './indicators.rules.ts';
import { namesIn } from './names.rules.ts';
import { newNamesIn } from './new-name.rules.ts';
import { type Sentence, sentenceAt, sentencesOf } from './passages.rules.ts';
import { sectorsIn } from './sectors.rules.ts';
import { severityIn } from './severity.rules.ts';
import { techniqueIdsIn, techniqueNamesIn } from './techniques.rules.ts';
import { cvesIn } from './vulnerabilities.rules.ts';

/** What an item says, as extracted from its text and told by its source. */
export interface Extraction {
  title: string;
  publisher: string | null;
  /** RFC 3339. */
  published_at: string | null;
  summary: string;
  actors: string[];
  malware: string[];
  tools: string[];
  techniques: IntelTechnique[];
  cves: string[];
  indicators: Indicator[];
  references: string[];
  sectors: string[];
  severity: IntelSeverity;
  severity_reason: { text: string; quote: string | null };
  tlp: TlpLabel | null;
  tags: string[];
  notes: string[];
}

const MAX = {
  finds: 6000,
  techniques: 200,
  evidence: 5,
  cves: 5000,
  indicators: 2000,
  names: 100,
  references: 100,
};
const MAX_SUMMARY = 500;
const LABEL = /\bTLP:\s?(CLEAR|WHITE|GREEN|AMBER\+STRICT|AMBER|RED)\b/i;

/** Everything that can be found in a reading, and where in its text each find stands. */
export function extract(reading: Reading): { extracted: Extraction; finds: Find[] } {
  const { text } = reading;
  const sentences = sentencesOf(text, reading.prose);
  const { finds: indicators, references } = indicatorsIn(text, sentences, reading.hosts);
  const dates = datesIn(text.slice(0, reading.prose.length > 0 ? text.length : 0));
  const names = outside(namesIn(text, sentences), indicators);
  const known = new Set(
    names
      .flatMap(({ value, start, end }) => [value, text.slice(start, end)])
      .map((name) => name.toLowerCase()),
  );
  const found = bounded(
    withoutParents([
      ...reading.given,
      ...indicators,
      ...outside(
        [
          ...inside(cvesIn(text), sentences),
          ...inside(techniqueIdsIn(text), sentences),
          ...techniqueNamesIn(text, sentences),
          ...newNamesIn(text, sentences, known),
          ...sectorsIn(sentences),
          ...inside(dates.finds, sentences),
        ],
        indicators,
      ),
      ...names,
      ...behavioursIn(sentences, indicators),
    ]),
  );
  const severity = severityOf(reading, sentences, found);
  const finds = severity.find ? [...found, severity.find] : found;
  const valuesOf = (kind: Find['kind'], max = MAX.names) => distinct(finds, kind).slice(0, max);
  const extracted: Extraction = {
    title: reading.title,
    publisher: reading.publisher,
    published_at: reading.published_at ?? dates.published_at,
    summary: reading.summary ?? summaryOf(reading, sentences),
    actors: valuesOf('actor'),
    malware: valuesOf('malware'),
    tools: valuesOf('tool'),
    techniques: techniquesOf(text, finds),
    cves: valuesOf('cve', MAX.cves),
    indicators: indicatorList(finds),
    references: [...new Set([...reading.references, ...references])].slice(0, MAX.references),
    sectors: valuesOf('sector'),
    severity: severity.value,
    severity_reason: severity.reason,
    tlp: reading.tlp ?? labelIn(text),
    tags: reading.tags,
    notes: reading.notes,
  };
  return { extracted, finds };
}

const inside = (finds: readonly Find[], sentences: readonly Sentence[]) =>
  finds.filter(({ start }) => sentenceAt(sentences, start));

/** What does not stand inside an indicator: a malware's name in an address is none. */
function outside(finds: readonly Find[], indicators: readonly Find[]): Find[] {
  const within = ({ start, end }: Find) => indicators.some((one) => start < one.end && end > one.start);
  return indicators.length === 0 ? [...finds] : finds.filter((find) => !within(find));
}

/** What is described or named is the sub-technique that is found too, rather than the technique that it is a part of. */
function withoutParents(finds: readonly Find[]): Find[] {
  const parents = new Set(
    finds.flatMap(({ kind, value }) =>
      kind === 'technique' && value.includes('.') ? [value.slice(0, 5)] : [],
    ),
  );
  return finds.filter(
    ({ kind, value, how }) => kind !== 'technique' || how === 'id' || how === 'given' || !parents.has(value),
  );
}

/** So many finds, in the order of the text; what was found twice in one way at one place is one. */
function bounded(finds: readonly Find[]): Find[] {
  const byPlace = new Map(
    finds.map((find) => [`${find.start} ${find.end} ${find.how} ${find.kind} ${find.value}`, find]),
  );
  return [...byPlace.values()]
    .sort((one, other) => one.start - other.start || other.end - one.end)
    .slice(0, MAX.finds);
}

function distinct(finds: readonly Find[], kind: Find['kind']): string[] {
  return [...new Set(finds.filter((find) => find.kind === kind).map(({ value }) => value))];
}

function techniquesOf(text: string, finds: readonly Find[]): IntelTechnique[] {
  const byId = new Map<string, Find[]>();
  for (const find of finds) {
    if (find.kind === 'technique') byId.set(find.value, [...(byId.get(find.value) ?? []), find]);
  }
  return [...byId].slice(0, MAX.techniques).map(([id, places]) => ({
    id,
    name: techniqueOf(id)?.name ?? id,
    evidence: places
      .slice(0, MAX.evidence)
      .map(({ start, end, how }) => ({ quote: text.slice(start, end), start, end, how })),
  }));
}

function indicatorList(finds: readonly Find[]): Indicator[] {
  const seen = new Map<string, Indicator>();
  for (const { kind, type, value } of finds) {
    if (kind === 'indicator' && type)
      seen.set(`${type} ${value}`, { type, value, defanged: defang(type, value) });
  }
  return [...seen.values()].slice(0, MAX.indicators);
}

function severityOf(reading: Reading, sentences: readonly Sentence[], finds: readonly Find[]) {
  if (reading.severity) {
    const { value, reason } = reading.severity;
    return { value, reason: { text: reason, quote: null }, find: null };
  }
  const { value, reason, place } = severityIn(sentences, finds);
  const quote = place && reading.text.slice(place.start, place.end);
  const find: Find | null = place && {
    kind: 'severity',
    value,
    start: place.start,
    end: place.end,
    how: 'behaviour',
  };
  return { value, reason: { text: reason, quote }, find };
}

/** The first sentences that are long enough to say something. */
function summaryOf({ title, text }: Reading, sentences: readonly Sentence[]): string {
  const said = sentences.filter((one) => one.text.length > 40 && one.text !== title).map((one) => one.text);
  let summary = '';
  for (const sentence of said) {
    if (summary !== '' && summary.length + sentence.length > MAX_SUMMARY) break;
    summary = `${summary} ${sentence}`.trim();
  }
  return oneLine(summary || text, MAX_SUMMARY);
}

function labelIn(text: string): TlpLabel | null {
  const [, label] = LABEL.exec(text.slice(0, 5000)) ?? [];
  return label ? (label.toLowerCase().replace('white', 'clear') as TlpLabel) : null;
}
