import type { ConductCommand, ProblemDetail } from '@muster/contracts';
import { type ConductRecord, elapsedMinutes, injectStates, phaseOf, type Table } from './conduct.rules.ts';

/** Why a command cannot be carried out: the session does not stand so, or the command does not fit its scenario. */
export type Refusal = { conflict: string } | { problem: ProblemDetail };

export type Step = { record: ConductRecord } | { refusal: Refusal };

type InjectCommand = Extract<ConductCommand, { inject_id: string }>;

/** What a command makes of a session's conduct, or why not. @param by the name of who gives it */
export function conductAfter(table: Table, command: ConductCommand, by: string, now: Date): Step {
  const phase = phaseOf(table);
  if (phase === 'completed') return conflict('This session is completed: there is nothing left to conduct.');
  const record = table.conduct ?? { release: 'clock', spans: [], handled: [] };
  switch (command.command) {
    case 'start':
      if (phase !== 'ready') return conflict('This session has been started already.');
      return {
        record: { ...record, release: command.release ?? record.release, spans: [{ from: now, to: null }] },
      };
    case 'pause':
      if (phase !== 'running') return conflict('This session is not running, so it cannot be paused.');
      return { record: { ...record, spans: record.spans.map((span) => ({ ...span, to: span.to ?? now })) } };
    case 'resume':
      if (phase !== 'paused') return conflict('This session is not paused, so it cannot be resumed.');
      return { record: { ...record, spans: [...record.spans, { from: now, to: null }] } };
    case 'set_release':
      return { record: { ...withReleases(table, record, now), release: command.release } };
    default:
      if (phase === 'ready') return conflict('Start the session first.');
      return injectByHand(table, record, command, { by, now });
  }
}

function injectByHand(
  table: Table,
  record: ConductRecord,
  { command, inject_id }: InjectCommand,
  { by, now }: { by: string; now: Date },
): Step {
  const state = injectStates(table, now).find(({ id }) => id === inject_id);
  if (!state) {
    const message = `the scenario has no inject "${inject_id}"`;
    return { refusal: { problem: { path: '/inject_id', code: 'unknown_inject', message, in: 'body' } } };
  }
  if (state.status === 'released' || (state.status === 'skipped' && command === 'skip'))
    return conflict(`Inject ${inject_id} was ${state.status} already.`);
  const entry = {
    inject_id,
    at: now,
    after_minutes: elapsedMinutes(record, now),
    by,
    how: command === 'release' ? ('released' as const) : ('skipped' as const),
  };
  const others = record.handled.filter((one) => one.inject_id !== inject_id);
  return { record: { ...record, handled: [...others, entry] } };
}

/** What the clock has released stays released when the facilitator takes over. */
function withReleases(table: Table, record: ConductRecord, now: Date): ConductRecord {
  const known = new Set(record.handled.map(({ inject_id }) => inject_id));
  const byClock = injectStates(table, now)
    .filter(({ id, status }) => status === 'released' && !known.has(id))
    .map(({ id, released_at, offset_minutes }) => ({
      inject_id: id,
      at: new Date(released_at ?? now),
      after_minutes: offset_minutes,
      by: 'clock',
      how: 'released' as const,
    }));
  return { ...record, handled: [...record.handled, ...byClock] };
}

const conflict = (detail: string): Step => ({ refusal: { conflict: detail } });
