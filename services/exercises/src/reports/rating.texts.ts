import type { Gap, Rating, Report } from '@muster/contracts';
import { badge, type Run, ratingBadge, type Tone } from '@muster/documents';
import { inWords } from './wording.texts.ts';

/** HSEEP's words for its ratings. */
const RATING_WORDS: Readonly<Record<Rating, string>> = {
  P: 'performed without challenges',
  S: 'performed with some challenges',
  M: 'performed with major challenges',
  U: 'unable to be performed',
};
const SEVERITY_TONES: Readonly<Record<Gap['severity'], Tone>> = {
  critical: 'bad',
  high: 'poor',
  medium: 'fair',
  low: 'neutral',
};

export const ratingInWords = (rating: Rating): string => RATING_WORDS[rating];

export const severityBadge = (severity: Gap['severity']): Run =>
  badge(inWords(severity), SEVERITY_TONES[severity]);

/** An objective's rating with its words and its source; "not rated" where there is none. */
export function ratingRuns({ rating, rating_source, score }: Report['objectives'][number]): (Run | string)[] {
  if (rating === null) return ['Not rated: nothing of it came up.'];
  const points = score === null ? '' : `, ${score} of 100`;
  const source = rating_source === 'observer' ? ', rated by an observer' : '';
  return [ratingBadge(rating), ` ${inWords(RATING_WORDS[rating])}${points}${source}`];
}
