import type { SessionRecord } from '@muster/ai';
import type { Rating, Report } from '@muster/contracts';
import { type PlayedSession, type Topic, topicKey, trialsOf } from '../gaps/gap.rules.ts';
import { type RatingBands, rounded } from '../scores/bands.rules.ts';
import type { SessionDoc } from '../sessions/session.model.ts';

/** The exercise before, as far as it is compared. */
export type PreviousExercise = Pick<
  SessionDoc,
  '_id' | 'scenario' | 'title' | 'scenario_title' | 'ended_at' | 'scores' | 'scenario_snapshot' | 'responses'
>;

const SHOWS_A_GAP: readonly Rating[] = ['M', 'U'];

/**
 * What changed between two exercises of an organization: the scores of what both tried, and what became of each
 * capability and control that was rated M or U before (`closed` is one that is rated P or S now).
 */
export function sinceLast(
  {
    session,
    scenario,
    scores,
    ended_at,
    filename,
  }: SessionRecord & Pick<PlayedSession, 'ended_at' | 'filename'>,
  earlier: PreviousExercise,
  bands: RatingBands,
): Report['since_last'] {
  const { _id, ended_at: ended, scenario_snapshot, responses, scores: old } = earlier;
  if (!old || !ended) return null;
  const before = trials(
    { id: _id, ended_at: ended, filename: earlier.scenario, scenario: scenario_snapshot, responses },
    bands,
  );
  const now = trials({ id: session.id, ended_at, filename, scenario, responses: session.responses }, bands);
  const gap = (key: string, all: Trials) => SHOWS_A_GAP.includes(all.get(key)?.rating ?? 'P');
  const of = (all: Trials, wanted: (key: string) => boolean) =>
    [...all].filter(([key]) => wanted(key)).map(([, { topic }]) => topic);
  return {
    session_id: earlier._id,
    title: earlier.title,
    scenario_title: earlier.scenario_title,
    ended_at: ended.toISOString(),
    overall: change(old.overall, scores.overall),
    capabilities: scores.capabilities.flatMap(({ capability, score }) => {
      const then = old.capabilities.find((one) => one.capability === capability);
      return then ? [{ capability, ...change(then.score, score) }] : [];
    }),
    gaps_closed: of(before, (key) => gap(key, before) && now.has(key) && !gap(key, now)),
    gaps_new: of(now, (key) => gap(key, now) && !gap(key, before)),
    gaps_still_open: of(now, (key) => gap(key, now) && gap(key, before)),
    gaps_not_tested: of(before, (key) => gap(key, before) && !now.has(key)),
  };
}

type Trials = ReadonlyMap<string, { topic: Topic; rating: Rating }>;

function trials(session: PlayedSession, bands: RatingBands): Trials {
  return new Map(
    trialsOf(session, bands).map(({ topic, trial }) => [
      topicKey(topic.capability, topic.control),
      { topic, rating: trial.rating },
    ]),
  );
}

const change = (before: number, after: number) => ({ before, after, change: rounded(after - before) });
