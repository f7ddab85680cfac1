import type { AccessStanding } from '@muster/contracts';
import type { Ctx } from '@muster/service-kit';
import { organizations } from '../organizations/organization.model.ts';
import { settingsFactsOf } from '../settings/settings.service.ts';
import { tokens } from '../tokens/token.model.ts';
import { members, toAccess } from './member.model.ts';

/** Nobody here may do anything, until a first event says otherwise. */
const STRANGER = { version: 0, role: null, address: null };

/** What the events about somebody of the context's organization, its settings and a token have told so far. */
export async function standingOf(
  ctx: Ctx,
  { user_id, jti }: { user_id: string; jti: string },
): Promise<AccessStanding> {
  const member = await members(ctx).findOne({ user_id });
  const organization = await organizations(ctx).findOne({ _id: ctx.org });
  const token = await tokens(ctx).findOne({ _id: jti });
  const settings = organization && (await settingsFactsOf(ctx));
  return {
    access: member ? { version: member.version, ...accessOf(toAccess(member)) } : STRANGER,
    settings,
    revoked: token !== null && token.revoked_at !== null,
  };
}

const accessOf = ({ role, address }: ReturnType<typeof toAccess>) => ({ role, address });
