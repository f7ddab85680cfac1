import type { membersApi } from '@muster/contracts';
import { created, type Handlers, noContent, ok } from '@muster/service-kit';
import { inviteMember } from '../invites/invite.service.ts';
import { updateMember } from './change.service.ts';
import { type Membership, toMember } from './member.model.ts';
import { findMember, listMembers } from './member.service.ts';
import { removeMember } from './removal.service.ts';

const one = (found: Membership) => ok(toMember(found), { etag: String(found.member.version) });

export const memberHandlers: Handlers<typeof membersApi> = {
  listMembers: async (ctx, { query }) => ok(await listMembers(ctx, query)),
  getMember: async (ctx, { params }) => one(await findMember(ctx, params.id)),
  inviteMember: async (ctx, { body }) => {
    const { member, user, invite } = await inviteMember(ctx, body);
    const etag = String(member.version);
    return created({ ...toMember({ member, user }), invite }, `/api/members/${member._id}/`, { etag });
  },
  updateMember: async (ctx, { params, body, requireMatch }) =>
    one(await updateMember(ctx, params.id, body, requireMatch)),
  removeMember: async (ctx, { params, requireMatch }) => {
    await removeMember(ctx, params.id, requireMatch);
    return noContent();
  },
};
