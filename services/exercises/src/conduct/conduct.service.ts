import { setTimeout as sleep } from 'node:timers/promises';
import type { Conduct, ConductCommand } from '@muster/contracts';
import { AppError, type Ctx } from '@muster/service-kit';
import { regulatoryClocks } from '../regulatory/regulatory.rules.ts';
import { type SessionDoc, sessions } from '../sessions/session.model.ts';
import { changeSession, findSession } from '../sessions/session.service.ts';
import { conductAfter, type Refusal } from './command.rules.ts';
import { elapsedMinutes, injectStates, nextByClock, phaseOf, tableOf } from './conduct.rules.ts';

const LOOK_EVERY_MS = 500;
const HEARTBEAT_MS = 15_000;
const MINUTE_MS = 60_000;

/** Where a session stands now. Raises `not-found`. */
export async function readConduct(ctx: Ctx, id: string): Promise<Conduct> {
  return conductOf(await findSession(ctx, id), new Date());
}

/** Conducts a session: start, pause, release and so on. Raises `not-found`, 409 where it does not stand so, 412, 422. */
export async function commandConduct(
  ctx: Ctx,
  id: string,
  command: ConductCommand,
  requireMatch: (etag: string) => void,
): Promise<Conduct> {
  const now = new Date();
  const changed = await changeSession(ctx, id, requireMatch, (doc) => {
    const step = conductAfter(tableOf(doc), command, ctx.actor.name, now);
    if ('refusal' in step) throw errorOf(step.refusal);
    return { ...doc, conduct: step.record };
  });
  return conductOf(changed, now);
}

const errorOf = (refusal: Refusal) =>
  'conflict' in refusal
    ? new AppError('conflict', refusal.conflict)
    : new AppError('validation-failed', refusal.problem.message, { errors: [refusal.problem] });

/** What everybody at the table sees of a session at a moment. */
export function conductOf(doc: SessionDoc, now: Date): Conduct {
  const table = tableOf(doc);
  const at = doc.status === 'completed' && doc.ended_at ? doc.ended_at : now;
  const elapsed = elapsedMinutes(doc.conduct, at);
  const injects = injectStates(table, at);
  const running = phaseOf(table) !== 'completed' && doc.conduct !== null;
  return {
    session_id: doc._id,
    version: doc.version,
    phase: phaseOf(table),
    release: doc.conduct?.release ?? 'clock',
    elapsed_minutes: Math.round(elapsed * 100) / 100,
    as_of: at.toISOString(),
    injects,
    next: phaseOf(table) === 'running' ? nextByClock(injects, doc.conduct, elapsed) : null,
    decisions: doc.responses,
    clocks: regulatoryClocks({
      scenario: doc.scenario_snapshot,
      responses: doc.responses,
      now_minutes: running ? elapsed : null,
    }),
  };
}

/**
 * The session's state whenever it changes, by a command, a decision or the clock, until it is completed or `ctx.signal`
 * aborts. Raises `not-found` before the first piece.
 */
export async function followConduct(ctx: Ctx, id: string): Promise<AsyncIterable<string>> {
  return changes(ctx, await findSession(ctx, id));
}

async function* changes(ctx: Ctx, first: SessionDoc): AsyncIterable<string> {
  let doc = first;
  let before = '';
  let sentAt = performance.now();
  while (!ctx.signal.aborted) {
    const state = conductOf(doc, new Date());
    // The clock alone changes the minute and nothing that the table would see.
    const face = JSON.stringify([state.version, state.phase, state.injects.map(({ status }) => status)]);
    if (face !== before) {
      before = face;
      sentAt = performance.now();
      yield `id: ${state.version}\nevent: conduct\ndata: ${JSON.stringify(state)}\n\n`;
    } else if (performance.now() - sentAt > HEARTBEAT_MS) {
      sentAt = performance.now();
      yield ': still here\n\n';
    }
    if (state.phase === 'completed') return;
    await pause(Math.min(LOOK_EVERY_MS, (state.next?.in_minutes ?? 1) * MINUTE_MS), ctx.signal);
    doc = await latestOf(ctx, doc);
  }
}

/** Reads the version alone, and the session only where that is another. */
async function latestOf(ctx: Ctx, doc: SessionDoc): Promise<SessionDoc> {
  const stored = await sessions(ctx).findOne({ _id: doc._id }, { projection: { version: 1 } });
  if (!stored) throw new AppError('not-found', 'There is no session with this id.');
  return stored.version === doc.version ? doc : await findSession(ctx, doc._id);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.max(20, ms), undefined, { signal }).catch(() => undefined);
}
