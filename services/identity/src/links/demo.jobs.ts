import { DEMO_PEOPLE } from '@muster/contracts';
import {
  createContext,
  DEMO_ORGANIZATION,
  isDuplicateKey,
  type Runtime,
  systemActor,
} from '@muster/service-kit';
import { config } from '../config.ts';
import { users } from '../users/user.model.ts';
import { linkPerson } from './link.service.ts';

const DEADLINE_MS = 60_000;

/** In development with DEMO_PEOPLE=1, lets the demo organization's people sign in with the demo providers. */
export async function linkDemoPeople(runtime: Runtime): Promise<void> {
  const { MUSTER_MODE, DEMO_PEOPLE: wanted, PROVIDERS } = config(runtime);
  if (MUSTER_MODE !== 'development' || !wanted) return;
  const actor = systemActor(DEMO_ORGANIZATION.id, 'identity');
  const ctx = createContext(runtime, { actor, signal: AbortSignal.timeout(DEADLINE_MS) });
  for (const { sub, email } of DEMO_PEOPLE) {
    const user = await users(ctx).findOne({ email });
    if (!user) continue;
    for (const { issuer } of PROVIDERS)
      await linkPerson(ctx, { issuer: issuer.href, subject: sub }, user._id).catch(refuseOthers);
  }
}

/** Another replica that just links the same person is no failure. */
function refuseOthers(error: unknown): void {
  if (!isDuplicateKey(error)) throw error;
}
