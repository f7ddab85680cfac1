import type { Job, jobsApi } from '@muster/contracts';
import type { Messaging } from '@muster/messaging';
import { AppError } from './errors.ts';
import type { Handlers } from './http/handlers.ts';
import { ok } from './http/reply.ts';

/** Reading, following and cancelling a service's own jobs: the same in every service. */
export function jobHandlers(messaging: Messaging): Handlers<ReturnType<typeof jobsApi>> {
  const find = async (org: string, id: string): Promise<Job> => {
    const job = await messaging.jobs.get(org, id);
    if (!job) throw new AppError('not-found', 'There is no job with this id.');
    return job;
  };
  return {
    getJob: async (ctx, { params }) => ok(await find(ctx.org, params.id)),
    streamJob: async (ctx, { params }) => {
      await find(ctx.org, params.id);
      const jobs = messaging.jobs.watch(ctx.org, params.id, ctx.signal);
      return { status: 200, body: { mediaType: 'text/event-stream', content: serverSentEvents(jobs) } };
    },
    cancelJob: async (ctx, { params }) => {
      await find(ctx.org, params.id);
      const cancelled = await messaging.jobs.cancel(ctx.org, params.id);
      if (!cancelled) throw new AppError('conflict', 'The job has already ended.');
      return ok(cancelled);
    },
  };
}

async function* serverSentEvents(jobs: AsyncIterable<Job>): AsyncIterable<string> {
  for await (const job of jobs) yield `event: job\ndata: ${JSON.stringify(job)}\n\n`;
}
