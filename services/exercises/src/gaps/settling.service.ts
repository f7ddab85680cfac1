import { type Ctx, trusted } from '@muster/service-kit';
import { v7 } from 'uuid';
import { gravity } from '../scores/gaps.rules.ts';
import { type SessionDoc, sessions } from '../sessions/session.model.ts';
import { type GapDoc, gaps, type SettledSession, settledSessions, settlings } from './gap.model.ts';
import { isProof, retestDue, type Topic, topicKey, trialFrom } from './gap.rules.ts';
import { historyOf } from './history.service.ts';
import { type GapState, momentOf, withTrial } from './life.rules.ts';

/** All that is looked at of a session. */
const SESSION_FIELDS = { ended_at: 1, scenario: 1, trials: 1, 'scores.gaps': 1 } as const;

/**
 * Opens, closes and opens again an organization's gaps by sessions that were completed, in the transaction under way.
 * Each counts once, whatever the order they come in, and costs the same however many were before.
 */
export async function settleSessions(ctx: Ctx, ids: readonly string[]): Promise<void> {
  // Two that run side by side would not see each other's sessions: the second to write this begins again.
  await settlings(ctx).updateOne({ _id: ctx.org }, { $inc: { rounds: 1 } }, { upsert: true });
  const come = await newSessions(ctx, ids);
  if (come.length === 0) return;
  const topics = new Map(come.flatMap(({ trials }) => trials ?? []).map((kept) => [kept.topic, kept]));
  const known = await gaps(ctx).find({ topic: trusted({ $in: [...topics.keys()] }) });
  const before = new Map(known.map((gap) => [gap.topic, gap]));
  // A gap without moments was stored before there were any: it is summed up anew.
  const states = new Map<string, GapState | null>(known.map((gap) => [gap.topic, gap.moments ? gap : null]));
  const history = historyOf(ctx);
  for (const session of come) {
    const row = rowOf(session);
    const place = await history.placeOf(row.moment);
    for (const kept of session.trials ?? []) {
      const trial = trialFrom(trialSession(session), kept);
      const state = states.get(kept.topic) ?? null;
      const around = await place.around(kept.topic, { last: !state && !isProof(trial) });
      states.set(kept.topic, withTrial(state, trial, around));
    }
    history.add(row);
  }
  await settledSessions(ctx).insertMany(come.map(rowOf));
  const written = [...topics].map(([key, topic]) => ({
    topic,
    gap: before.get(key) ?? null,
    state: states.get(key) ?? null,
  }));
  await gaps(ctx).insertMany(written.flatMap(newGaps));
  await gaps(ctx).upsertEach(written.flatMap(gapUpdates));
}

/** Those that are not settled yet, oldest first. */
async function newSessions(ctx: Ctx, ids: readonly string[]): Promise<CompletedDoc[]> {
  const settled = await settledSessions(ctx).find(
    { _id: trusted({ $in: [...ids] }) },
    { projection: { _id: 1 } },
  );
  const known = new Set(settled.map(({ _id }) => _id));
  const come = ids.filter((id) => !known.has(id));
  if (come.length === 0) return [];
  const found = await sessions(ctx).find({ _id: trusted({ $in: come }) }, { projection: SESSION_FIELDS });
  return found.filter((session): session is CompletedDoc => session.ended_at !== null).sort(byMoment);
}

type CompletedDoc = SessionDoc & { ended_at: Date };

const momentIn = ({ _id, ended_at }: CompletedDoc) => momentOf({ session_id: _id, ended_at });
const byMoment = (one: CompletedDoc, other: CompletedDoc) => (momentIn(one) < momentIn(other) ? -1 : 1);

const rowOf = (session: CompletedDoc): Omit<SettledSession, 'org_id'> => ({
  _id: session._id,
  moment: momentIn(session),
  tried: (session.trials ?? []).map(({ topic, rating }) => ({ topic, rating })),
});

const trialSession = ({ _id: id, ended_at, scenario: filename, scores }: CompletedDoc) => ({
  id,
  ended_at,
  filename,
  gaps: scores?.gaps ?? [],
});

interface TopicState {
  topic: Topic;
  gap: GapDoc | null;
  state: GapState | null;
}

/** The gap that a topic has now and had not before. */
function newGaps({ topic: { capability, control }, gap, state }: TopicState): Omit<GapDoc, 'org_id'>[] {
  if (gap || !state) return [];
  const row = {
    _id: v7(),
    topic: topicKey(capability, control),
    capability,
    control,
    control_name: control?.control ?? null,
    ...state,
    gravity: gravity(state),
    retest_due_at: retestDue(state.severity, state.last_seen_at),
    owner_role: null,
    corrective_action: null,
    corrected_at: null,
    version: 1,
  };
  return [row];
}

/** What becomes of a gap that was there. */
function gapUpdates({ gap, state }: TopicState) {
  if (!gap || !state || state === gap) return [];
  // A session that shows it again is the re-test that failed: what was said to be corrected was not.
  const failed = !state.closed_at && state.last_seen_at > gap.last_seen_at;
  const again = failed && {
    corrected_at: null,
    retest_due_at: retestDue(state.severity, state.last_seen_at),
  };
  const update = { $set: { ...fieldsOf(gap, state), ...again }, $inc: { version: 1 } };
  return [{ filter: { _id: gap._id }, update }];
}

/** What is not as it was stored, and the severity as a number. */
function fieldsOf(gap: GapDoc, state: GapState): Partial<GapDoc> {
  const { title, severity, rating, opened_at, last_seen_at, closed_at, closed_by_session_id } = state;
  const { relapses, occurrences, findings, techniques, moments } = state;
  return {
    title,
    severity,
    gravity: gravity(state),
    rating,
    opened_at,
    last_seen_at,
    closed_at,
    closed_by_session_id,
    relapses,
    occurrences,
    moments,
    ...(findings !== gap.findings && { findings }),
    ...(techniques !== gap.techniques && { techniques }),
  };
}
