import type { Job } from '@muster/contracts';
import type { JobKind } from '@muster/messaging';
import type { z } from 'zod';
import { systemActor } from './auth/actor.ts';
import { type Ctx, createContext, type Order, type Runtime, type Transact } from './context.ts';

/** A kind of work that runs on a queue: `ctx.enqueue(sessionEvaluation, { session_id })` orders it. */
export interface Work<Payload extends z.ZodType = z.ZodType> extends Order<Payload> {
  bind(runtime: Runtime): JobKind;
}

export interface WorkProgress {
  jobId: string;
  report(done: number, total: number | null, message: string): Promise<void>;
}

/** How often, how long and how many at once in one process. */
export type WorkLimits = Pick<JobKind, 'attempts' | 'backoff' | 'timeoutMs' | 'concurrency'>;

const LIMITS: WorkLimits = {
  attempts: 5,
  backoff: { baseMs: 1_000, maxMs: 60_000 },
  timeoutMs: 15 * 60_000,
  concurrency: 4,
};

/** Declared, and listed by no service so far. */
const unlisted = new Set<Work>();

/**
 * Declares a kind of work, beside its noun; the service lists it. What a run imports must not import the work again.
 * @param declaration.kind lower-case words joined by `-`; part of a queue's name, so it must stay the same
 * @param declaration.attempts runs before the job has failed, default 5
 * @param declaration.backoff wait between runs, default 1 s doubling to 60 s, with jitter
 * @param declaration.timeoutMs deadline of one run, default 15 minutes
 * @param declaration.concurrency runs side by side in one process, default 4
 * @param declaration.run may be called again after a crash or a failure, so its steps must bear repeating. It returns
 * where the result is, or null; an error whose `code` is a client's problem ends the job at once, any other is tried again
 */
export function work<Payload extends z.ZodType>({
  kind,
  payload,
  run,
  ...limits
}: Partial<WorkLimits> & {
  kind: string;
  payload: Payload;
  run: (ctx: Ctx, payload: z.output<Payload>, progress: WorkProgress) => Promise<Job['result']>;
}): Work<Payload> {
  const declared: Work<Payload> = {
    kind,
    payload,
    bind: (runtime) => ({
      ...LIMITS,
      ...limits,
      kind,
      payload,
      run: async (job, ordered) => {
        // Fenced: what a run commits counts only while the job is still its own.
        const transact: Transact = (open) => job.transaction(({ session }) => open(session));
        const actor = systemActor(job.org, runtime.service);
        const ctx = createContext(runtime, { actor, signal: job.signal, transact });
        const progress = { jobId: job.jobId, report: job.progress };
        return await run(ctx, ordered as z.output<Payload>, progress);
      },
    }),
  };
  unlisted.add(declared);
  return declared;
}

/** Notes what a service lists. */
export function listWork(listed: readonly Work[]): void {
  for (const work of listed) unlisted.delete(work);
}

/** Raises where work was declared that nobody would run: found at the start, not by the first order. */
export function requireListed(): void {
  if (unlisted.size === 0) return;
  const kinds = [...unlisted].map(({ kind }) => kind).join(', ');
  throw new Error(
    `No service lists this work, so nobody would do it: ${kinds}. Add it to \`work\` in service.ts`,
  );
}
