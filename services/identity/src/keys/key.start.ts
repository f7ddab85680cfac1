import { type Ctx, isDuplicateKey } from '@muster/service-kit';
import { keyRotation } from './key.jobs.ts';
import { ensureKeys, rotateWhenDue } from './key.service.ts';

const CHECK_EVERY_MINUTES = 60;

/** Makes the first signing keys; looks now, and has somebody look every hour, whether the active one is due. */
export async function keepKeys(ctx: Ctx): Promise<void> {
  await ensureKeys(ctx);
  await rotateWhenDue(ctx, new Date()).catch((err: unknown) =>
    ctx.log.warn({ err }, 'the signing keys could not be rotated; it is tried again in an hour'),
  );
  const everyHour = { id: keyRotation.kind, everyMinutes: CHECK_EVERY_MINUTES };
  await ctx.inTransaction((inside) => inside.schedule(keyRotation, {}, everyHour)).catch(refuseOthers);
}

/** Another replica that has just scheduled the same is no failure. */
function refuseOthers(error: unknown): void {
  if (!isDuplicateKey(error)) throw error;
}
