import { type Ctx, trusted } from '@muster/service-kit';
import { v7 } from 'uuid';
import { gravity } from '../scores/gaps.rules.ts';
import { type SessionDoc, sessions } from '../sessions/session.model.ts';
import { arrivals, type GapDoc, gaps, settled } from './gap.model.ts';
import { type GapState, gapState, retestDue, type Topic, type Trial, trialFrom } from './gap.rules.ts';

const SESSIONS_AT_ONCE = 100;
/** All that is looked at of a session. */
const TRIED = { ended_at: 1, scenario: 1, trials: 1, 'scores.gaps': 1 } as const;

/**
 * Settles the oldest of an organization's sessions that have come, a page of them, in the transaction under way.
 * @returns whether there may be more
 */
export async function settlePage(ctx: Ctx): Promise<boolean> {
  const page = await arrivals(ctx).find(
    { settled: false },
    { sort: { ended_at: 1, _id: 1 }, limit: SESSIONS_AT_ONCE },
  );
  if (page.length === 0) return false;
  const before = await settled(ctx).findOne({ _id: ctx.org });
  const latest = new Map(before?.latest.map(({ topic, ended_at }) => [topic, ended_at]));
  const ids = trusted({ $in: page.map(({ _id }) => _id) });
  const tried = byTopic(await sessions(ctx).find({ _id: ids }, { projection: TRIED }));
  const known = await gaps(ctx).find({ topic: trusted({ $in: [...tried.keys()] }) });
  const gapOf = new Map(known.map((gap) => [gap.topic, gap]));
  for (const [key, { topic, came }] of tried) {
    const gap = gapOf.get(key) ?? null;
    await write(ctx, key, { topic, gap, state: await stateOf(ctx, key, { gap, came, latest }) });
    const ends = came.map(({ ended_at }) => ended_at.getTime());
    latest.set(key, new Date(Math.max(...ends, latest.get(key)?.getTime() ?? 0)));
  }
  await arrivals(ctx).updateMany({ _id: ids }, { $set: { settled: true } });
  const rows = [...latest].map(([topic, ended_at]) => ({ topic, ended_at }));
  await settled(ctx).updateOne({ _id: ctx.org }, { $set: { latest: rows } }, { upsert: true });
  return page.length === SESSIONS_AT_ONCE;
}

interface Tried {
  topic: Topic;
  came: Trial[];
}

function byTopic(page: readonly SessionDoc[]): Map<string, Tried> {
  const tried = new Map<string, Tried>();
  for (const session of page) {
    for (const { topic: key, capability, control } of session.trials ?? []) {
      const { topic, came } = tried.get(key) ?? { topic: { capability, control }, came: [] };
      tried.set(key, { topic, came: [...came, ...trialIn(session, key)] });
    }
  }
  return tried;
}

function trialIn(
  { _id: id, ended_at, scenario: filename, scores, trials }: SessionDoc,
  key: string,
): Trial[] {
  const kept = trials?.find(({ topic }) => topic === key);
  return kept && ended_at ? [trialFrom({ id, ended_at, filename, gaps: scores?.gaps ?? [] }, kept)] : [];
}

/** What is known goes on from where it is; a session older than what is settled makes its topics count from the start. */
async function stateOf(
  ctx: Ctx,
  topic: string,
  { gap, came, latest }: { gap: GapDoc | null; came: Trial[]; latest: Map<string, Date> },
): Promise<GapState | null> {
  const last = latest.get(topic);
  const inOrder = !last || came.every(({ ended_at }) => ended_at > last);
  if (inOrder) return gapState(came, gap);
  const all = await sessions(ctx).find({ 'trials.topic': topic }, { projection: TRIED });
  return gapState(all.flatMap((session) => trialIn(session, topic)));
}

async function write(
  ctx: Ctx,
  topic: string,
  {
    topic: { capability, control },
    gap,
    state,
  }: { topic: Topic; gap: GapDoc | null; state: GapState | null },
): Promise<void> {
  if (!state) return;
  const facts = factsOf(state);
  if (!gap) {
    await gaps(ctx).insert({
      _id: v7(),
      topic,
      capability,
      control,
      control_name: control?.control ?? null,
      ...facts,
      retest_due_at: retestDue(state.severity, state.last_seen_at),
      owner_role: null,
      corrective_action: null,
      corrected_at: null,
      version: 1,
    });
    return;
  }
  // A session that shows it again is the re-test that failed: what was said to be corrected was not.
  const failed = !state.closed_at && state.last_seen_at > gap.last_seen_at;
  const again = failed && {
    corrected_at: null,
    retest_due_at: retestDue(state.severity, state.last_seen_at),
  };
  await gaps(ctx).updateOne({ _id: gap._id }, { $set: { ...facts, ...again }, $inc: { version: 1 } });
}

/** The state alone: of one that was folded on from a stored gap, nothing else of that. */
function factsOf(state: GapState): GapState & Pick<GapDoc, 'gravity'> {
  const { title, severity, rating, opened_at, last_seen_at, closed_at, closed_by_session_id } = state;
  const { relapses, occurrences, findings, techniques } = state;
  return {
    ...{ title, severity, rating, opened_at, last_seen_at, closed_at, closed_by_session_id },
    ...{ relapses, occurrences, findings, techniques },
    gravity: gravity(state),
  };
}
