import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { JobKind } from '../src/index.ts';
import { jobKind } from './declared.ts';

/** A job that says who runs it, then sleeps for ever or ends with a mark of its own. */
export function sleeping(how: { forever: boolean }): JobKind {
  return jobKind({
    kind: 'sleep',
    payload: z.object({}),
    async run(context) {
      await context.progress(1, 2, `process ${process.pid}`);
      if (how.forever) await sleep(10_000, undefined, { ref: false });
      return await context.transaction(async ({ db, session }) => {
        const woken = { job: context.jobId, process: process.pid };
        await db
          .collection('woken')
          .updateOne({ job: woken.job }, { $set: woken }, { session, upsert: true });
        return { href: `/woken/${process.pid}` };
      });
    },
  });
}
