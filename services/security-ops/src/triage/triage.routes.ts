import type { triageApi } from '@muster/contracts';
import { type Handlers, ok, queued } from '@muster/service-kit';
import type { Config } from '../config.ts';
import { findTriage, startTriage } from './triage.service.ts';

export const triageHandlers: Handlers<typeof triageApi, Config> = {
  triageEvent: async (ctx, { params }) => {
    const started = await startTriage(ctx, params.id);
    return 'job' in started ? queued(started.job) : ok(started.triage);
  },
  getTriage: async (ctx, { params }) => ok(await findTriage(ctx, params.id)),
};
