import { z } from 'zod';
import { api, endpoint } from '../../core/endpoint.ts';
import { filter, listOf, page } from '../../core/lists.ts';
import { id } from '../../core/primitives.ts';
import { ROLES } from '../../core/roles.ts';
import { invitedMember, inviteInput, MEMBER_STATUSES, member, memberChange } from './member.schemas.ts';

const params = z.object({ id: id.meta({ description: 'id of the member' }) });

export const membersApi = api({
  service: 'identity',
  tag: 'Members',
  about: 'The people of an organization and what each may do.',
  endpoints: {
    listMembers: endpoint({
      method: 'GET',
      path: '/api/members/',
      summary: 'List table members',
      description: 'Members, people who are invited and those who are suspended, newest first.',
      role: 'viewer',
      scope: 'members:read',
      query: z.strictObject({
        ...page,
        status: filter(z.enum(MEMBER_STATUSES), 'invited, active or suspended'),
        role: filter(z.enum(ROLES), 'of this role'),
      }),
      responses: { 200: listOf(member) },
    }),
    getMember: endpoint({
      method: 'GET',
      path: '/api/members/{id}/',
      summary: 'Return one member',
      description: 'With role, status, who invited them and when they were last seen.',
      role: 'viewer',
      scope: 'members:read',
      params,
      responses: { 200: member },
    }),
    inviteMember: endpoint({
      method: 'POST',
      path: '/api/members/invite/',
      summary: 'Invite a member',
      description:
        'The invitation goes out by mail; where no mail server is configured its link is in the answer. It holds for 72 hours; inviting again renews it.',
      role: 'admin',
      scope: 'members:write',
      body: inviteInput,
      responses: { 201: invitedMember },
    }),
    updateMember: endpoint({
      method: 'PATCH',
      path: '/api/members/{id}/',
      summary: 'Change what a member is called, may do, or whether they may do anything',
      description:
        'A lower role or a suspension works everywhere within five seconds. Nobody gives a role above their own, and the last owner stays one: 409.',
      role: 'admin',
      scope: 'members:write',
      params,
      body: memberChange,
      responses: { 200: member },
    }),
    removeMember: endpoint({
      method: 'DELETE',
      path: '/api/members/{id}/',
      summary: 'Remove a member, or take an invitation back',
      description:
        'Their tokens and sessions end within five seconds; what they did stays in the records. The last owner cannot be removed: 409.',
      role: 'admin',
      scope: 'members:write',
      params,
      responses: { 204: null },
    }),
  },
});
