import type {
  Conduct,
  ConductCommand,
  Inject,
  RecordedResponse,
  ScenarioContent,
  Session,
} from '@muster/contracts';
import { AppError } from '@muster/service-kit';
import { playOf } from '../scores/play.rules.ts';

/** What is stored of a live session. Everything else follows from it and the time, so a restart changes nothing. */
export interface ConductRecord {
  release: Conduct['release'];
  /** When the clock ran; the last one has no end while it runs. */
  spans: { from: Date; to: Date | null }[];
  /** What somebody released or skipped by hand. */
  handled: { inject_id: string; at: Date; after_minutes: number; by: string; how: 'released' | 'skipped' }[];
}

export interface Table {
  scenario: ScenarioContent;
  responses: readonly RecordedResponse[];
  /** Null before anybody started it. */
  conduct: ConductRecord | null;
  completed: boolean;
}

/** A stored session, as far as conducting it looks at it. */
interface Stored {
  scenario_snapshot: ScenarioContent;
  responses: readonly RecordedResponse[];
  conduct?: ConductRecord | null;
  status: Session['status'];
}

export function tableOf({ scenario_snapshot, responses, conduct, status }: Stored): Table {
  return {
    scenario: scenario_snapshot,
    responses,
    conduct: conduct ?? null,
    completed: status === 'completed',
  };
}

const MINUTE_MS = 60_000;

/** Where a session stands between not started and completed. */
export function phaseOf({ conduct, completed }: Pick<Table, 'conduct' | 'completed'>): Conduct['phase'] {
  if (completed) return 'completed';
  const last = conduct?.spans.at(-1);
  if (!last) return 'ready';
  return last.to === null ? 'running' : 'paused';
}

/** Minutes played until `now`, pauses left out. A clock that was set back counts as standing still. */
export function elapsedMinutes(conduct: ConductRecord | null, now: Date): number {
  const spans = conduct?.spans ?? [];
  const played = spans.map(({ from, to }) => Math.max(0, (to ?? now).getTime() - from.getTime()));
  return played.reduce((sum, ms) => sum + ms, 0) / MINUTE_MS;
}

/** When the clock showed so many minutes; null where it has not yet. */
export function momentOf(conduct: ConductRecord, minutes: number, now: Date): Date | null {
  let left = minutes * MINUTE_MS;
  for (const { from, to } of conduct.spans) {
    const length = (to ?? now).getTime() - from.getTime();
    if (left <= length) return new Date(from.getTime() + left);
    left -= length;
  }
  return null;
}

type InjectState = Conduct['injects'][number];

/** Every inject in the order of its time, with whether, when and by whom it came to the table. */
export function injectStates(table: Table, now: Date): InjectState[] {
  const elapsed = elapsedMinutes(table.conduct, now);
  const applied = new Map(
    playOf(table.scenario.injects, table.responses).map((play) => [play.inject.id, play.applied]),
  );
  return table.scenario.injects
    .toSorted((one, other) => one.offset_minutes - other.offset_minutes)
    .map((inject) =>
      stateOf(inject, table.conduct, { elapsed, now, applies: applied.get(inject.id) ?? true }),
    );
}

function stateOf(
  { id, title, type, offset_minutes }: Inject,
  conduct: ConductRecord | null,
  { elapsed, now, applies }: { elapsed: number; now: Date; applies: boolean },
): InjectState {
  const facts = { id, title, type, offset_minutes };
  const never = { released_at: null, released_after_minutes: null, released_by: null };
  const handled = conduct?.handled.find(({ inject_id }) => inject_id === id);
  if (handled) {
    const { how, at, after_minutes, by } = handled;
    const when = { released_at: at.toISOString(), released_after_minutes: after_minutes, released_by: by };
    return { ...facts, status: how, ...when };
  }
  const due = conduct?.release === 'clock' && conduct.spans.length > 0 && elapsed >= offset_minutes;
  if (!due) return { ...facts, status: 'waiting', ...never };
  if (!applies) return { ...facts, status: 'withheld', ...never };
  const at = momentOf(conduct, offset_minutes, now);
  return {
    ...facts,
    status: 'released',
    released_at: at?.toISOString() ?? null,
    released_after_minutes: offset_minutes,
    released_by: null,
  };
}

/** The inject that the running clock releases next, and in how many minutes of play. */
export function nextByClock(
  states: readonly InjectState[],
  conduct: ConductRecord | null,
  elapsed: number,
): Conduct['next'] {
  if (conduct?.release !== 'clock') return null;
  const next = states.find(({ status, offset_minutes }) => status === 'waiting' && offset_minutes > elapsed);
  return next ? { inject_id: next.id, in_minutes: next.offset_minutes - elapsed } : null;
}

/**
 * What a command makes of a session's conduct. Raises 409 where the session does not stand so, 422 for an inject that
 * the scenario does not have.
 */
export function conducted(table: Table, command: ConductCommand, by: string, now: Date): ConductRecord {
  const phase = phaseOf(table);
  if (phase === 'completed') throw conflict('This session is completed: there is nothing left to conduct.');
  const record = table.conduct ?? { release: 'clock', spans: [], handled: [] };
  switch (command.command) {
    case 'start':
      if (phase !== 'ready') throw conflict('This session has been started already.');
      return { ...record, release: command.release ?? record.release, spans: [{ from: now, to: null }] };
    case 'pause':
      if (phase !== 'running') throw conflict('This session is not running, so it cannot be paused.');
      return { ...record, spans: record.spans.map((span) => ({ ...span, to: span.to ?? now })) };
    case 'resume':
      if (phase !== 'paused') throw conflict('This session is not paused, so it cannot be resumed.');
      return { ...record, spans: [...record.spans, { from: now, to: null }] };
    case 'set_release':
      return { ...keepReleased(table, record, now), release: command.release };
    default:
      return handled(table, record, command, { by, now, phase });
  }
}

function handled(
  table: Table,
  record: ConductRecord,
  { command, inject_id }: { command: 'release' | 'skip'; inject_id: string },
  { by, now, phase }: { by: string; now: Date; phase: Conduct['phase'] },
): ConductRecord {
  if (phase === 'ready') throw conflict('Start the session first.');
  const state = injectStates(table, now).find(({ id }) => id === inject_id);
  if (!state) throw unknownInject(inject_id);
  if (state.status === 'released' || (state.status === 'skipped' && command === 'skip')) {
    throw conflict(`Inject ${inject_id} was ${state.status} already.`);
  }
  const entry = {
    inject_id,
    at: now,
    after_minutes: elapsedMinutes(record, now),
    by,
    how: command === 'release' ? ('released' as const) : ('skipped' as const),
  };
  return { ...record, handled: [...record.handled.filter((one) => one.inject_id !== inject_id), entry] };
}

/** What the clock has released stays released when the facilitator takes over. */
function keepReleased(table: Table, record: ConductRecord, now: Date): ConductRecord {
  const known = new Set(record.handled.map(({ inject_id }) => inject_id));
  const byClock = injectStates(table, now).filter(
    ({ id, status }) => status === 'released' && !known.has(id),
  );
  const kept = byClock.map(({ id, released_at, offset_minutes }) => ({
    inject_id: id,
    at: new Date(released_at ?? now),
    after_minutes: offset_minutes,
    by: 'clock',
    how: 'released' as const,
  }));
  return { ...record, handled: [...record.handled, ...kept] };
}

/**
 * The minute of the script at which a decision made now counts: the inject's own minute and what has passed since it
 * came to the table, so that an inject released early or late by hand does not make the table look fast or slow. Null
 * where the session is not conducted live or the inject has not come.
 */
export function minuteOfDecision(table: Table, injectId: string, now: Date): number | null {
  if (!table.conduct) return null;
  const state = injectStates(table, now).find(({ id }) => id === injectId);
  if (state?.released_after_minutes == null || state.status !== 'released') return null;
  const since = elapsedMinutes(table.conduct, now) - state.released_after_minutes;
  return Math.round((state.offset_minutes + Math.max(0, since)) * 100) / 100;
}

const conflict = (detail: string) => new AppError('conflict', detail);

function unknownInject(id: string): AppError {
  const message = `the scenario has no inject "${id}"`;
  return new AppError('validation-failed', message, {
    errors: [{ path: '/inject_id', code: 'unknown_inject', message, in: 'body' }],
  });
}
