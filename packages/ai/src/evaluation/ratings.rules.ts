import type { ObjectiveRating, SessionQuote } from '@muster/contracts';
import { bare, clipped, counted, inside, listed, paragraph } from '../prose/prose.ts';
import type { Deed } from '../sessions/deeds.rules.ts';
import type { SessionRecord } from '../sessions/record.ts';

const MOST_QUOTES = 3;
const LONGEST_ACTION = 120;
const LONGEST_NOTE = 300;

/**
 * One for each objective, in the scenario's order. The rating is the session's own (an observer's where there is one);
 * where no word of the session can be quoted for it there is none.
 */
export function ratingsOf({ session, scores }: SessionRecord, deeds: readonly Deed[]): ObjectiveRating[] {
  return scores.objectives.map(({ id, score, rating, rating_source }) => {
    const own = deeds.filter(
      ({ objectives, outcome }) => outcome !== 'not_exercised' && objectives.some((one) => one.id === id),
    );
    const evidence = quotesFor(own);
    const observed = session.observations.findLast(
      (one) => one.objective_id === id && one.note.trim() !== '',
    );
    const note = observed && `An observer noted: “${clipped(bare(observed.note), LONGEST_NOTE)}”`;
    if (rating === null || evidence.length === 0)
      return {
        objective_id: id,
        rating: null,
        rationale: paragraph([noRatingReason(own), note ?? null]),
        evidence,
      };
    const source = rating_source === 'observer' ? 'as the observers rated it' : `from a score of ${score}`;
    return {
      objective_id: id,
      rating,
      rationale: paragraph([
        `${rating}, ${source}: ${counted(doneOf(own).length, 'action')} of ${own.length} expected done`,
        shortfall(own, 'late', 'Late'),
        shortfall(own, 'missed', 'Missed'),
        note ?? null,
      ]),
      evidence,
    };
  });
}

/** What was done first, then what was only spoken of; no quote twice. */
function quotesFor(deeds: readonly Deed[]): SessionQuote[] {
  const weighty = deeds.toSorted((one, other) => other.action.weight - one.action.weight);
  const ordered = [...doneOf(weighty), ...weighty.filter(({ outcome }) => outcome === 'missed')];
  const quotes = new Map(
    ordered.flatMap(({ quote }) => (quote ? [[`${quote.inject_id} ${quote.quote}`, quote]] : [])),
  );
  return [...quotes.values()].slice(0, MOST_QUOTES);
}

function noRatingReason(own: readonly Deed[]): string {
  if (own.length === 0) return 'Not exercised: no inject of this objective came up';
  return 'No rating without quoted evidence: the session holds no words of the table on this objective';
}

function shortfall(deeds: readonly Deed[], outcome: Deed['outcome'], label: string): string | null {
  const texts = deeds
    .filter((deed) => deed.outcome === outcome)
    .map(
      ({ action }) =>
        `${clipped(inside(action.text), LONGEST_ACTION)}${action.critical ? ' (critical)' : ''}`,
    );
  return texts.length > 0 ? `${label}: ${listed(texts)}` : null;
}

function doneOf(deeds: readonly Deed[]): Deed[] {
  return deeds.filter(({ outcome }) => outcome === 'performed' || outcome === 'late');
}
