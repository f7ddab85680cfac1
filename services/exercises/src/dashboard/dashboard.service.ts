import { createHash } from 'node:crypto';
import type {
  CloudEvent,
  Dashboard,
  DashboardCounts,
  EventData,
  eventsCounted,
  Participant,
  sessionCompleted,
  sessionSaved,
} from '@muster/contracts';
import { isNewer } from '@muster/messaging';
import { type Ctx, type Repository, settingsOf, trusted } from '@muster/service-kit';
import { countOpen, gravestGaps } from '../gaps/gap.service.ts';
import { library } from '../scenarios/library.service.ts';
import {
  dashboardDays,
  dashboardElsewhere,
  dashboardParticipants,
  dashboardSessions,
  dashboardTotals,
  ELSEWHERE,
  type PresenceRow,
  projectionStates,
  type SessionRow,
  type Totals,
} from './dashboard.model.ts';
import { contribution, DAY_MS, dayOf, recentWith, scoresOf, trendsOf } from './dashboard.rules.ts';

const TOP_GAPS = 10;
const BUILT_IN_SCENARIOS = library.length;

/** The epochs of an organization's projection. */
export async function epochs(ctx: Ctx): Promise<{ reading: number; writing: number }> {
  return (await projectionStates(ctx).findOne({ _id: ctx.org })) ?? { reading: 1, writing: 1 };
}

/** The dashboard of the last `days` days. Its cost depends on the window, not on how many sessions there ever were. */
export async function readDashboard(ctx: Ctx, days: number): Promise<Dashboard> {
  const { reading: epoch } = await epochs(ctx);
  const to = new Date(dayOf(new Date()).getTime() + DAY_MS);
  const from = new Date(to.getTime() - days * DAY_MS);
  const earliest = new Date(from.getTime() - days * DAY_MS);
  const [totals, elsewhere, rows, open_gaps, top_gaps] = await Promise.all([
    dashboardTotals(ctx).findOne({ _id: `${epoch}.${ctx.org}` }),
    dashboardTotals(ctx).findOne({ _id: `${ELSEWHERE}.${ctx.org}` }),
    dashboardDays(ctx).find({ epoch, day: trusted({ $gte: earliest, $lt: to }) }),
    countOpen(ctx),
    gravestGaps(ctx, TOP_GAPS),
  ]);
  const inside = rows.filter((row) => row.day >= from);
  const scores = scoresOf(inside, (await settingsOf(ctx)).scoring.bands);
  const before = scoresOf(rows.filter((row) => row.day < from)).overall;
  const change =
    scores.overall === null || before === null ? null : Math.round((scores.overall - before) * 100) / 100;
  return {
    scores: { ...scores, change },
    counts: countsOf(totals, elsewhere, open_gaps),
    trends: trendsOf(inside, { from, to }),
    recent_sessions: totals?.recent ?? [],
    top_gaps,
    as_of: totals?.as_of.toISOString() ?? null,
  };
}

/** Counts of services that do not exist yet stay at zero until their events come. */
function countsOf(totals: Totals | null, elsewhere: Totals | null, open_gaps: number): DashboardCounts {
  return {
    scenarios: BUILT_IN_SCENARIOS + (totals?.scenarios ?? 0),
    sessions: totals?.sessions ?? 0,
    participants: totals?.participants ?? 0,
    members: totals?.members ?? 0,
    open_gaps,
    facts: 0,
    connectors: 0,
    intel_items: elsewhere?.intel_items ?? 0,
    events_open: elsewhere?.events_open ?? 0,
    operations: elsewhere?.operations ?? 0,
    playbooks: totals?.playbooks ?? 0,
  };
}

type SessionEvent =
  | CloudEvent<EventData<typeof sessionSaved>>
  | CloudEvent<EventData<typeof sessionCompleted>>;

/** Takes a session's state into the projection; an event older than what is known, or known, changes nothing. */
export async function applySession(ctx: Ctx, event: SessionEvent): Promise<void> {
  const { writing: epoch } = await epochs(ctx);
  const { data } = event;
  const _id = `${epoch}.${data.session_id}`;
  const before = await dashboardSessions(ctx).findOne({ _id });
  if (!isNewer(event, before?.seq)) return;
  const row = sessionRow(epoch, event);
  await dashboardSessions(ctx).updateOne({ _id }, { $set: row }, { upsert: true });
  await moveDay(ctx, epoch, before, row);
  const sessions = before ? 0 : 1;
  if (!('scores' in data)) return await addTotals(ctx, epoch, { sessions });
  const participants = await addParticipants(ctx, epoch, data.participants);
  await addTotals(ctx, epoch, { sessions, participants }, { recent: await recentSessions(ctx, epoch, data) });
}

function sessionRow(epoch: number, { seq, data }: SessionEvent): Omit<SessionRow, '_id' | 'org_id'> {
  if (!('scores' in data)) return { epoch, seq, ended_at: null, overall: null, capabilities: [] };
  const { overall, capabilities } = data.scores;
  return {
    epoch,
    seq,
    ended_at: new Date(data.ended_at),
    overall,
    capabilities: capabilities.map(({ capability, score }) => ({ capability, score })),
  };
}

async function recentSessions(ctx: Ctx, epoch: number, data: EventData<typeof sessionCompleted>) {
  const totals = await dashboardTotals(ctx).findOne(
    { _id: `${epoch}.${ctx.org}` },
    { projection: { recent: 1 } },
  );
  const { session_id: id, scenario, scenario_title, title, ended_at } = data;
  const { overall, rating, maturity_level } = data.scores;
  const session = { id, scenario, scenario_title, title, ended_at, overall, rating, maturity_level };
  return recentWith(totals?.recent ?? [], session);
}

async function moveDay(
  ctx: Ctx,
  epoch: number,
  before: SessionRow | null,
  after: Omit<SessionRow, '_id' | 'org_id'>,
) {
  for (const [row, sign] of [
    [before, -1],
    [after, 1],
  ] as const) {
    if (!row?.ended_at) continue;
    const day = dayOf(row.ended_at);
    const _id = `${epoch}.${ctx.org}.${day.toISOString().slice(0, 10)}`;
    await dashboardDays(ctx).updateOne(
      { _id },
      { $set: { epoch, day }, $inc: contribution(row, sign) },
      { upsert: true },
    );
  }
}

type Counted = 'sessions' | 'participants' | Present;
type Present = 'scenarios' | 'members' | 'playbooks' | Elsewhere;
type Elsewhere = 'intel_items' | 'operations';

async function addTotals(
  ctx: Ctx,
  epoch: number,
  increments: Partial<Record<Counted, number>>,
  latest: Partial<Pick<Totals, 'recent' | 'events_open'>> = {},
): Promise<void> {
  const all = { sessions: 0, participants: 0, scenarios: 0, members: 0, playbooks: 0, ...increments };
  const update = { $set: { epoch, as_of: new Date(), ...latest }, $inc: all };
  await dashboardTotals(ctx).updateOne({ _id: `${epoch}.${ctx.org}` }, update, { upsert: true });
}

/** Remembers each person once, by member, else e-mail, else name. @returns how many are new */
async function addParticipants(
  ctx: Ctx,
  epoch: number,
  participants: readonly Participant[],
): Promise<number> {
  const ids = [...new Set(participants.map((person) => `${epoch}.${ctx.org}.${personKey(person)}`))];
  const known = await dashboardParticipants(ctx).find({ _id: trusted({ $in: ids }) });
  const present = new Set(known.map(({ _id }) => _id));
  const added = ids.filter((_id) => !present.has(_id));
  await dashboardParticipants(ctx).insertMany(added.map((_id) => ({ _id, epoch })));
  return added.length;
}

function personKey({ member_id, email, name }: Participant): string {
  const key = member_id ?? email?.toLowerCase() ?? name.normalize('NFKC').toLowerCase();
  return createHash('sha256').update(key).digest('base64url');
}

interface Presence {
  subject: string;
  seq: number;
  present: boolean;
}

/** Counts a scenario, member or playbook in or out; an event older than what is known, or known, changes nothing. */
export async function applyPresence(
  ctx: Ctx,
  rows: Repository<PresenceRow>,
  total: Exclude<Present, Elsewhere>,
  event: Presence,
): Promise<void> {
  const { writing } = await epochs(ctx);
  await countPresence(ctx, { rows, total, epoch: writing }, event);
}

/** Counts something of another service in or out. Nobody tells it again for a rebuild, so it stays out of the epochs. */
export async function applyElsewhere(ctx: Ctx, total: Elsewhere, event: Presence): Promise<void> {
  await countPresence(ctx, { rows: dashboardElsewhere(ctx), total, epoch: ELSEWHERE }, event);
}

/** Takes over how many security events are open; an event older than what is known, or known, changes nothing. */
export async function applyOpenEvents(
  ctx: Ctx,
  { subject, seq, data }: CloudEvent<EventData<typeof eventsCounted>>,
): Promise<void> {
  const _id = `${ELSEWHERE}.${subject}`;
  const before = await dashboardElsewhere(ctx).findOne({ _id });
  if (!isNewer({ seq }, before?.seq)) return;
  const row = { epoch: ELSEWHERE, seq, present: true };
  await dashboardElsewhere(ctx).updateOne({ _id }, { $set: row }, { upsert: true });
  await addTotals(ctx, ELSEWHERE, {}, { events_open: data.open });
}

async function countPresence(
  ctx: Ctx,
  { rows, total, epoch }: { rows: Repository<PresenceRow>; total: Present; epoch: number },
  event: Presence,
): Promise<void> {
  const _id = `${epoch}.${event.subject}`;
  const before = await rows.findOne({ _id });
  if (!isNewer(event, before?.seq)) return;
  await rows.updateOne(
    { _id },
    { $set: { epoch, seq: event.seq, present: event.present } },
    { upsert: true },
  );
  const change = Number(event.present) - Number(before?.present ?? false);
  if (change !== 0) await addTotals(ctx, epoch, { [total]: change });
}
