import { createHash } from 'node:crypto';
import {
  type CloudEvent,
  DAY_MS,
  type Dashboard,
  type DashboardCounts,
  type EventData,
  type eventsCounted,
  type Participant,
  type sessionCompleted,
  type sessionSaved,
} from '@muster/contracts';
import { type Ctx, isNewer, type Repository, settingsOf, trusted } from '@muster/service-kit';
import { countOpen, gravestGaps } from '../gaps/gap.service.ts';
import { library } from '../scenarios/library.service.ts';
import {
  dashboardDays,
  dashboardForeignItems,
  dashboardParticipants,
  dashboardSessions,
  dashboardTotals,
  FOREIGN_EPOCH,
  type PresenceRow,
  projectionStates,
  type SessionRow,
  type Totals,
} from './dashboard.model.ts';
import { contribution, dayOf, recentWith, scoresOf, sumOf, trendsOf } from './dashboard.rules.ts';

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
  const [totals, foreign, rows, open_gaps, top_gaps] = await Promise.all([
    dashboardTotals(ctx).findOne({ _id: `${epoch}.${ctx.org}` }),
    dashboardTotals(ctx).findOne({ _id: `${FOREIGN_EPOCH}.${ctx.org}` }),
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
    counts: countsOf(totals, foreign, open_gaps),
    trends: trendsOf(inside, { from, to }),
    recent_sessions: totals?.recent ?? [],
    top_gaps,
    as_of: totals?.as_of.toISOString() ?? null,
  };
}

/** Counts of services that do not exist yet stay at zero until their events come. */
function countsOf(totals: Totals | null, foreign: Totals | null, open_gaps: number): DashboardCounts {
  return {
    scenarios: BUILT_IN_SCENARIOS + (totals?.scenarios ?? 0),
    sessions: totals?.sessions ?? 0,
    participants: totals?.participants ?? 0,
    members: totals?.members ?? 0,
    open_gaps,
    facts: 0,
    connectors: 0,
    intel_items: foreign?.intel_items ?? 0,
    events_open: foreign?.events_open ?? 0,
    operations: foreign?.operations ?? 0,
    playbooks: totals?.playbooks ?? 0,
  };
}

type SessionEvent =
  | CloudEvent<EventData<typeof sessionSaved>>
  | CloudEvent<EventData<typeof sessionCompleted>>;

/**
 * Takes sessions' states into the projection; an event older than what is known, or known, changes nothing. Several
 * events cost about as much as one.
 */
export async function applySessions(ctx: Ctx, events: readonly SessionEvent[]): Promise<void> {
  const { writing: epoch } = await epochs(ctx);
  const ids = events.map(({ data }) => `${epoch}.${data.session_id}`);
  const stored = await dashboardSessions(ctx).find({ _id: trusted({ $in: ids }) });
  const known = new Map<string, SessionState>(stored.map((row) => [row._id, row]));
  const days = new Map<number, Record<string, number>>();
  const news = new Map<string, SessionEvent>();
  for (const event of events) {
    const _id = `${epoch}.${event.data.session_id}`;
    const before = known.get(_id);
    if (!isNewer(event, before?.seq)) continue;
    const row = sessionRow(epoch, event);
    moveDay(days, before, row);
    known.set(_id, row);
    news.set(_id, event);
  }
  if (news.size === 0) return;
  await dashboardSessions(ctx).upsertEach(
    [...news.keys()].map((_id) => ({ filter: { _id }, update: { $set: known.get(_id) ?? {} } })),
  );
  await addDays(ctx, epoch, days);
  await addSessions(ctx, epoch, {
    count: news.size - stored.filter(({ _id }) => news.has(_id)).length,
    news,
  });
}

type SessionState = Omit<SessionRow, '_id' | 'org_id'>;

function sessionRow(epoch: number, { seq, data }: SessionEvent): SessionState {
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

/** Takes a session away from its day as it was, and adds it as it is. */
function moveDay(
  days: Map<number, Record<string, number>>,
  before: SessionState | undefined,
  after: SessionState,
): void {
  for (const [row, sign] of [
    [before, -1],
    [after, 1],
  ] as const) {
    if (!row?.ended_at) continue;
    const day = dayOf(row.ended_at).getTime();
    days.set(day, sumOf(days.get(day) ?? {}, contribution(row, sign)));
  }
}

async function addDays(
  ctx: Ctx,
  epoch: number,
  days: ReadonlyMap<number, Record<string, number>>,
): Promise<void> {
  const updates = [...days].map(([time, increments]) => {
    const day = new Date(time);
    const _id = `${epoch}.${ctx.org}.${day.toISOString().slice(0, 10)}`;
    return { filter: { _id }, update: { $set: { epoch, day }, $inc: increments } };
  });
  await dashboardDays(ctx).upsertEach(updates);
}

async function addSessions(
  ctx: Ctx,
  epoch: number,
  { count, news }: { count: number; news: ReadonlyMap<string, SessionEvent> },
): Promise<void> {
  const completed = [...news.values()].flatMap(({ data }) => ('scores' in data ? [data] : []));
  if (completed.length === 0) return await addTotals(ctx, epoch, { sessions: count });
  const participants = await addParticipants(
    ctx,
    epoch,
    completed.flatMap((data) => data.participants),
  );
  const _id = `${epoch}.${ctx.org}`;
  const totals = await dashboardTotals(ctx).findOne({ _id }, { projection: { recent: 1 } });
  const recent = completed.map(recentOf).reduce(recentWith, totals?.recent ?? []);
  await addTotals(ctx, epoch, { sessions: count, participants }, { recent });
}

function recentOf(data: EventData<typeof sessionCompleted>): Dashboard['recent_sessions'][number] {
  const { session_id: id, scenario, scenario_title, title, ended_at } = data;
  const { overall, rating, maturity_level } = data.scores;
  return { id, scenario, scenario_title, title, ended_at, overall, rating, maturity_level };
}

type CountName = 'sessions' | 'participants' | PresenceCount;
type PresenceCount = 'scenarios' | 'members' | 'playbooks' | ForeignCount;
type ForeignCount = 'intel_items' | 'operations';

async function addTotals(
  ctx: Ctx,
  epoch: number,
  increments: Partial<Record<CountName, number>>,
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
  const news = ids.filter((_id) => !present.has(_id));
  await dashboardParticipants(ctx).insertMany(news.map((_id) => ({ _id, epoch })));
  return news.length;
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
  total: Exclude<PresenceCount, ForeignCount>,
  event: Presence,
): Promise<void> {
  const { writing } = await epochs(ctx);
  await countPresence(ctx, { rows, total, epoch: writing }, event);
}

/** Counts something of another service in or out. Nobody tells it again for a rebuild, so it stays out of the epochs. */
export async function applyForeignItem(ctx: Ctx, total: ForeignCount, event: Presence): Promise<void> {
  await countPresence(ctx, { rows: dashboardForeignItems(ctx), total, epoch: FOREIGN_EPOCH }, event);
}

/** Takes over how many security events are open; an event older than what is known, or known, changes nothing. */
export async function applyOpenEvents(
  ctx: Ctx,
  { subject, seq, data }: CloudEvent<EventData<typeof eventsCounted>>,
): Promise<void> {
  const _id = `${FOREIGN_EPOCH}.${subject}`;
  const row = { _id, epoch: FOREIGN_EPOCH, seq, present: true };
  if ((await dashboardForeignItems(ctx).keepNewer(row, 'seq')) === undefined) return;
  await addTotals(ctx, FOREIGN_EPOCH, {}, { events_open: data.open });
}

async function countPresence(
  ctx: Ctx,
  { rows, total, epoch }: { rows: Repository<PresenceRow>; total: PresenceCount; epoch: number },
  event: Presence,
): Promise<void> {
  const _id = `${epoch}.${event.subject}`;
  const { seq, present } = event;
  const before = await rows.keepNewer({ _id, epoch, seq, present }, 'seq');
  if (before === undefined) return;
  const change = Number(present) - Number(before?.present ?? false);
  if (change !== 0) await addTotals(ctx, epoch, { [total]: change });
}
