import type { Job } from '@muster/contracts';
import { type JobKind, jobKind, type NewSchedule } from '@muster/messaging';
import type { z } from 'zod';
import { systemActor } from './auth/actor.ts';
import { type Ctx, createContext, type Runtime, type Transact } from './context.ts';

/** A kind of work that runs on a queue. */
export interface Work {
  kind: string;
  bind(runtime: Runtime): JobKind;
}

export interface WorkProgress {
  jobId: string;
  report(done: number, total: number | null, message: string): Promise<void>;
}

/** How work comes again: every so many minutes, under a name that is the organization's own. */
export type Recurrence = Pick<NewSchedule, 'id' | 'everyMinutes' | 'next' | 'paused'>;

/** How often, how long and how many at once; what is left out is as `jobKind` in messaging says. */
export type WorkLimits = Partial<Pick<JobKind, 'attempts' | 'backoff' | 'timeoutMs' | 'concurrency'>>;

/** Declares a kind of job. `run` may be called again after a crash, so its steps must bear repeating. */
export function work<Payload extends z.ZodType>(
  declaration: WorkLimits & {
    kind: string;
    payload: Payload;
    run: (ctx: Ctx, payload: z.output<Payload>, progress: WorkProgress) => Promise<Job['result']>;
  },
): Work {
  return {
    kind: declaration.kind,
    bind: (runtime) =>
      jobKind({
        ...declaration,
        run: async (job, payload) => {
          // Fenced: what a run commits counts only while the job is still its own.
          const transact: Transact = (open) => job.transaction(({ session }) => open(session));
          const actor = systemActor(job.org, runtime.service);
          const ctx = createContext(runtime, { actor, signal: job.signal, transact });
          return await declaration.run(ctx, payload as z.output<Payload>, {
            jobId: job.jobId,
            report: job.progress,
          });
        },
      }),
  };
}
