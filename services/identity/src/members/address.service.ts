import { identityChangeRecorded, type registeredIp } from '@muster/contracts';
import { type Ctx, invalid, recordChange } from '@muster/service-kit';
import type { z } from 'zod';
import { advance, memberObject, ownMembership, requireUser } from './member.service.ts';

/**
 * Registers the address that the caller's tokens work from where the settings ask for one.
 * @param ip an address; undefined for the caller's own
 * Raises a 422 when neither is known.
 */
export async function registerAddress(
  ctx: Ctx,
  ip: string | undefined,
): Promise<z.input<typeof registeredIp>> {
  const address = ip ?? ctx.address;
  if (address === null) throw unknownAddress();
  const before = await ownMembership(ctx);
  const membership = await requireUser(ctx, before);
  const now = new Date();
  await advance(ctx, membership, { address, address_at: now });
  await recordChange(ctx, identityChangeRecorded, {
    action: 'member.address_registered',
    object: memberObject(membership),
    before: { address: before.address ?? null },
    after: { address },
  });
  return { ip: address, updated_at: now.toISOString() };
}

function unknownAddress() {
  const message = 'Your address could not be seen from here: say which one you mean.';
  return invalid([{ path: '/ip', code: 'unknown_address', message, in: 'body' }]);
}
