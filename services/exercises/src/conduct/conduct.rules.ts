import type { Conduct, Inject, RecordedResponse, ScenarioContent, Session } from '@muster/contracts';
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
interface StoredSession {
  scenario_snapshot: ScenarioContent;
  responses: readonly RecordedResponse[];
  conduct?: ConductRecord | null;
  status: Session['status'];
}

export function tableOf({ scenario_snapshot, responses, conduct, status }: StoredSession): Table {
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
