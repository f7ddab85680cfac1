import { createContext, type Runtime, SHARED_ORG, systemActor } from '@muster/service-kit';
import { introduceServices } from './introduction.service.ts';

const DEADLINE_MS = 10 * 60_000;

/** At a start, tells services that are new to this deployment who may do what. */
export async function introduceNewServices(runtime: Runtime): Promise<void> {
  const ctx = createContext(runtime, {
    actor: systemActor(SHARED_ORG, 'identity'),
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  const services = await introduceServices(ctx);
  if (services.length > 0) runtime.log.info({ services }, 'services were told who may do what');
}
