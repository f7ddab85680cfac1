import { ingestInput } from '@muster/contracts';
import { work } from '@muster/service-kit';
import { z } from 'zod';
import { ingest } from './ingest.service.ts';
import { announceAll } from './replay.service.ts';
import { keepFor } from './retention.service.ts';

/** Reads a source or a document. A source that fails is asked once more, and whoever waits is told. */
export const itemIngest = work({
  kind: 'intel-ingest',
  payload: ingestInput,
  attempts: 2,
  backoff: { baseMs: 200, maxMs: 500 },
  timeoutMs: 5 * 60_000,
  run: async (ctx, request, progress) => await ingest(ctx, request, progress),
});

/** Tells every item again, for a read model that is rebuilt. */
export const itemReplay = work({
  kind: 'intel-replay',
  payload: z.strictObject({}),
  run: async (ctx, _payload, progress) => {
    await announceAll(ctx, progress);
    return null;
  },
});

/** Moves the day on which items go, after the organization has set another retention. */
export const itemRetention = work({
  kind: 'intel-retention',
  payload: z.strictObject({ days: z.int().min(1) }),
  run: async (ctx, { days }) => {
    await keepFor(ctx, days);
    return null;
  },
});
