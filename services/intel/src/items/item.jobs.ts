import { ingestInput } from '@muster/contracts';
import { type Ctx, work } from '@muster/service-kit';
import { z } from 'zod';
import { INTEL_INGEST, ingest } from './ingest.service.ts';
import { announceAll, INTEL_REPLAY } from './replay.service.ts';
import { INTEL_RETENTION, keepFor } from './retention.service.ts';

/** Reads a source or a document. A source that fails is asked once more, and whoever waits is told. */
export const itemIngest = work({
  kind: INTEL_INGEST,
  payload: ingestInput,
  attempts: 2,
  backoff: { baseMs: 200, maxMs: 500 },
  timeoutMs: 5 * 60_000,
  run: async (ctx: Ctx, request, progress) => await ingest(ctx, request, progress),
});

/** Tells every item again, for a read model that is rebuilt. */
export const itemReplay = work({
  kind: INTEL_REPLAY,
  payload: z.strictObject({}),
  run: async (ctx: Ctx, _payload, progress) => {
    await announceAll(ctx, progress);
    return null;
  },
});

/** Moves the day on which items go, after the organization has set another retention. */
export const itemRetention = work({
  kind: INTEL_RETENTION,
  payload: z.strictObject({ days: z.int().min(1) }),
  run: async (ctx: Ctx, { days }) => {
    await keepFor(ctx, days);
    return null;
  },
});
