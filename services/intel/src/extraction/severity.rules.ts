import type { IntelSeverity } from '@muster/contracts';
import type { Find, Range } from '../formats/reading.rules.ts';
import { isAdvice, type Sentence } from './passages.rules.ts';
import { SIGNS } from './severity.data.ts';

export interface SeverityFind {
  value: IntelSeverity;
  reason: string;
  /** The words that say so; null where it follows from what was or was not found. */
  place: Range | null;
}

const NEGATED =
  /\b(?:no (?:evidence|indication|sign|reports?|known|public)|not (?:aware|seen|observed|been|being|yet)|without (?:evidence|any)|has not|have not|never|nobody|unlikely)\b/i;
const CVSS =
  /\bCVSS\b[^.\n]{0,40}?\b(10(?:\.0)?|\d\.\d)\b|\b(10\.0|\d\.\d)\b\s?(?:\/\s?10\b)?[^.\n]{0,12}\bCVSS\b/gi;

/** How grave a text is, by the gravest sign in it, with the words that say so. */
export function severityIn(sentences: readonly Sentence[], finds: readonly Find[]): SeverityFind {
  const told = sentences.filter((sentence) => !isAdvice(sentence));
  const signs = SIGNS.flatMap(({ value, reason, pattern }): SeverityFind[] => {
    const sentence = told.find(({ text }) => pattern.test(text) && !NEGATED.test(text));
    return sentence ? [{ value, reason, place: { start: sentence.start, end: sentence.end } }] : [];
  });
  const gravest = [...signs, ...cvssOf(sentences), fallback(finds)].reduce((one, other) =>
    rank(other.value) > rank(one.value) ? other : one,
  );
  return gravest;
}

/** Not the list of the contracts, which would bring all of them into a thread. */
const RANKS: Readonly<Record<IntelSeverity, number>> = {
  informational: 0,
  low: 1,
  medium: 2,
  high: 3,
  critical: 4,
};
const rank = (value: IntelSeverity) => RANKS[value];

/** By the bands of CVSS v3.1, section 5. */
function cvssOf(sentences: readonly Sentence[]): SeverityFind[] {
  const scores = sentences.flatMap(({ text, start }) =>
    [...text.matchAll(CVSS)].map((match) => ({
      score: Number(match[1] ?? match[2]),
      place: { start: start + match.index, end: start + match.index + match[0].length },
    })),
  );
  const [highest] = scores.sort((one, other) => other.score - one.score);
  if (!highest || highest.score > 10) return [];
  const { score, place } = highest;
  const value = score >= 9 ? 'critical' : score >= 7 ? 'high' : score >= 4 ? 'medium' : 'low';
  return [{ value, reason: `A CVSS score of ${score.toFixed(1)}.`, place }];
}

function fallback(finds: readonly Find[]): SeverityFind {
  const has = (kind: Find['kind']) => finds.find((find) => find.kind === kind);
  const group = has('actor');
  if (group && has('technique'))
    return { value: 'medium', reason: 'Names a group and how it works.', place: group };
  const threat = has('malware') ?? has('indicator') ?? has('technique');
  if (threat) return { value: 'medium', reason: 'Names malware, indicators or techniques.', place: threat };
  const cve = has('cve');
  if (cve) return { value: 'low', reason: 'Names a vulnerability, and nothing of its use.', place: cve };
  return { value: 'informational', reason: 'Nothing in it tells of a threat in use.', place: null };
}
