import { describe, expect, test } from '@jest/globals';
import type { TrackedGap } from '@muster/contracts';
import fc from 'fast-check';
import { gravity } from '../scores/gaps.rules.ts';
import { daysBetween, isProof, type Trial } from './gap.rules.ts';
import { type GapState, momentOf, withTrial } from './life.rules.ts';

const day = (n: number) => new Date(Date.UTC(2026, 0, n));
const RATINGS = ['P', 'S', 'M', 'U'] as const;

function trial(on: number, rating: Trial['rating'], more: Partial<Trial> = {}): Trial {
  const finding: Trial['findings'][number] = {
    title: `found on ${on}`,
    detail: 'd',
    severity: 'high',
    reason: 'missed',
    inject_id: 'I1',
    action_id: 'A1',
    session_id: `s${on}`,
    scenario: 'a.json',
    at: day(on).toISOString(),
  };
  const findings = isProof({ rating }) ? [] : [finding];
  return { session_id: `s${on}`, ended_at: day(on), rating, techniques: [], findings, ...more };
}

/** What trials amount to, taken one by one as they come: each looks at those beside it, and at nothing else. */
function taken(trials: readonly Trial[]): GapState | null {
  const history: { moment: string; rating: Trial['rating'] }[] = [];
  let state: GapState | null = null;
  for (const one of trials) {
    const moment = momentOf(one);
    if (history.some((known) => known.moment === moment)) continue;
    const before = history.findLast((known) => known.moment < moment) ?? null;
    const next = history.find((known) => known.moment > moment) ?? null;
    state = withTrial(state, one, { before, next, last: next && (history.at(-1) ?? null) });
    history.push({ moment, rating: one.rating });
    history.sort((a, b) => (a.moment < b.moment ? -1 : 1));
  }
  return state;
}

describe('the life of a gap', () => {
  test('there is none where every session reached P or S', () => {
    expect(taken([trial(1, 'P'), trial(2, 'S')])).toBeNull();
  });

  test('M or U opens it, P or S later closes it, and that is its proof', () => {
    const state = taken([trial(1, 'U'), trial(10, 'M'), trial(31, 'S')]);
    expect(state).toMatchObject({
      opened_at: day(1),
      last_seen_at: day(10),
      closed_at: day(31),
      closed_by_session_id: 's31',
      occurrences: 2,
      relapses: 0,
      title: 'found on 10',
    });
    expect(state?.closed_at && daysBetween(state.opened_at, state.closed_at)).toBe(30);
  });

  test('what comes back after its proof is a relapse, opened anew', () => {
    const state = taken([trial(1, 'U'), trial(5, 'P'), trial(9, 'M')]);
    expect(state).toMatchObject({ opened_at: day(9), closed_at: null, relapses: 1, occurrences: 2 });
  });

  test('a proof from before it was seen closes nothing', () => {
    expect(taken([trial(1, 'P'), trial(2, 'M')])?.closed_at).toBeNull();
  });
});

type GapSummary = Omit<GapState, 'moments' | 'techniques'> & { techniques: string[] };

/** The same, by going through all trials in the order of their days. */
function summaryOf(trials: readonly Trial[]): GapSummary | null {
  const inTime = trials.toSorted(
    (one, other) =>
      one.ended_at.getTime() - other.ended_at.getTime() || (one.session_id < other.session_id ? -1 : 1),
  );
  return inTime.reduce<GapSummary | null>(withNext, null);
}

function withNext(state: GapSummary | null, one: Trial): GapSummary | null {
  if (isProof(one)) {
    if (!state || state.closed_at) return state && { ...state, rating: one.rating };
    const { rating, ended_at: closed_at, session_id: closed_by_session_id } = one;
    return { ...state, rating, closed_at, closed_by_session_id };
  }
  const worst = one.findings.reduce<TrackedGap['findings'][number] | undefined>(
    (gravest, next) => (gravest && gravity(gravest) >= gravity(next) ? gravest : next),
    undefined,
  );
  const reopened = state !== null && state.closed_at !== null;
  return {
    title: worst?.title ?? state?.title ?? 'Not shown',
    severity: worst?.severity ?? state?.severity ?? 'low',
    rating: one.rating,
    opened_at: !state || reopened ? one.ended_at : state.opened_at,
    last_seen_at: one.ended_at,
    closed_at: null,
    closed_by_session_id: null,
    relapses: (state?.relapses ?? 0) + (reopened ? 1 : 0),
    occurrences: (state?.occurrences ?? 0) + 1,
    findings: [...one.findings, ...(state?.findings ?? [])].slice(0, 20),
    techniques: [...new Set([...(state?.techniques ?? []), ...one.techniques])],
  };
}

const TECHNIQUES = ['T1', 'T2', 'T3', 'T4'];

/** Trials of a few days, many on one, some with several findings or none. */
const trials = fc.array(
  fc.record({
    on: fc.integer({ min: 1, max: 8 }),
    rating: fc.constantFrom(...RATINGS),
    severities: fc.array(fc.constantFrom('critical' as const, 'high' as const, 'low' as const), {
      maxLength: 12,
    }),
    techniques: fc.subarray(TECHNIQUES, { minLength: 0 }),
  }),
  { maxLength: 14 },
);

test('in whatever order trials come, and however often, they amount to what all of them do in the order of their days', () => {
  fc.assert(
    fc.property(trials, fc.infiniteStream(fc.nat()), (given, keys) => {
      const all = given.map(({ on, rating, severities, techniques }, at) => {
        const session_id = `s${at % 10}${at}`;
        const { findings } = trial(on, 'U');
        const found = severities.flatMap((severity, index) =>
          findings.map((one) => ({ ...one, severity, session_id, title: `${at}.${index}` })),
        );
        const proof = isProof({ rating });
        return trial(on, rating, {
          session_id,
          findings: proof ? [] : found,
          techniques: proof ? [] : techniques,
        });
      });
      const come = [...all, ...all.slice(0, 3)]
        .map((one) => ({ one, key: keys.next().value ?? 0 }))
        .sort((a, b) => a.key - b.key)
        .map(({ one }) => one);
      const state = taken(come);
      const { moments, techniques, ...rest } = state ?? { moments: null, techniques: [] };
      expect(state && { ...rest, techniques: techniques.map(({ id }) => id) }).toEqual(summaryOf(all));
    }),
    { numRuns: 2_000 },
  );
});

test('a trial that changes nothing but counts leaves what is large as it is', () => {
  const many = Array.from({ length: 25 }, (_, at) => trial(at + 2, 'U', { techniques: ['T1'] }));
  const state = taken(many);
  const old = withTrial(state, trial(1, 'U'), {
    before: null,
    next: { moment: momentOf(trial(2, 'U')), rating: 'U' },
    last: null,
  });
  expect(old?.findings).toBe(state?.findings);
  expect(old?.techniques).toBe(state?.techniques);
});
