import { type Observation, RATINGS, type Rating } from '@muster/contracts';

/** The lowest score of each rating; below M it is U. */
export interface RatingBands {
  P: number;
  S: number;
  M: number;
}

export const DEFAULT_BANDS: RatingBands = { P: 80, S: 65, M: 50 };

/** Where levels 2, 3, 4 and 5 begin. */
const LEVELS_BEGIN = [40, 60, 75, 90] as const;

/** Two decimals. Ratings and levels are decided on this number, so that nobody sees "80" rated S. */
export function rounded(score: number): number {
  return Math.round(score * 100) / 100;
}

/** The rating of a rounded score, 0..100. */
export function ratingOf(score: number, bands: RatingBands = DEFAULT_BANDS): Rating {
  if (score >= bands.P) return 'P';
  if (score >= bands.S) return 'S';
  return score >= bands.M ? 'M' : 'U';
}

/** Maturity level 1..5 of a rounded score, 0..100. */
export function maturityLevelOf(score: number): number {
  return 1 + LEVELS_BEGIN.filter((begin) => score >= begin).length;
}

/** The more cautious of two ratings. */
export function worse(one: Rating, other: Rating): Rating {
  return RATINGS.indexOf(one) > RATINGS.indexOf(other) ? one : other;
}

/**
 * What observers say of each objective: an observer's last rating counts (a note without a rating takes none back),
 * and of several observers the most cautious one.
 * @returns the rating by objective id
 */
export function observedRatings(observations: readonly Observation[]): Map<string, Rating> {
  const latest = new Map<string, Map<string, Rating>>();
  for (const { objective_id, observer, rating } of observations) {
    if (rating === null) continue;
    const byObserver = latest.get(objective_id) ?? new Map<string, Rating>();
    byObserver.set(observer.trim().toLowerCase(), rating);
    latest.set(objective_id, byObserver);
  }
  const result = new Map<string, Rating>();
  for (const [objective, byObserver] of latest) result.set(objective, [...byObserver.values()].reduce(worse));
  return result;
}
