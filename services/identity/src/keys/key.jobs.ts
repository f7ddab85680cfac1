import { type Ctx, createContext, type Runtime, SHARED_ORG, systemActor } from '@muster/service-kit';
import { ensureKeys, rotateWhenDue } from './key.service.ts';

const CHECK_EVERY_MS = 60 * 60_000;
const DEADLINE_MS = 60_000;

/** The context of work on the keys, which are no organization's. */
export function keysContext(runtime: Runtime): Ctx {
  return createContext(runtime, {
    actor: systemActor(SHARED_ORG, 'identity'),
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
}

/** Makes the first keys, then looks every hour whether the active one is due, for as long as the service runs. */
export async function keepKeys(runtime: Runtime): Promise<void> {
  await ensureKeys(keysContext(runtime));
  await rotateIfDue(runtime);
  const timer = setInterval(() => rotateIfDue(runtime), CHECK_EVERY_MS).unref();
  runtime.connection.once('close', () => clearInterval(timer));
}

async function rotateIfDue(runtime: Runtime): Promise<void> {
  try {
    const rotation = await rotateWhenDue(keysContext(runtime), new Date());
    if (rotation) runtime.log.info(rotation, 'signing keys rotated');
  } catch (err) {
    runtime.log.warn({ err }, 'the signing keys could not be rotated; it is tried again in an hour');
  }
}
