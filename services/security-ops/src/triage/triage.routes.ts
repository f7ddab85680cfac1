import type { triageApi } from '@muster/contracts';
import { type Handlers, ok, queued } from '@muster/service-kit';
import { startTriage } from './triage.jobs.ts';
import { findTriage } from './triage.service.ts';

export const triageHandlers: Handlers<typeof triageApi> = {
  triageEvent: async (ctx, { params }) => {
    const started = await startTriage(ctx, params.id);
    return 'job' in started ? queued(started.job) : ok(started.triage);
  },
  getTriage: async (ctx, { params }) => ok(await findTriage(ctx, params.id)),
};
