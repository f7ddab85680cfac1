import { z } from 'zod';
import { api, endpoint } from '../../core/endpoint.ts';
import { filter, listOf, page } from '../../core/lists.ts';
import { id } from '../../core/primitives.ts';
import { ROLES } from '../../core/roles.ts';
import { invitedMember, inviteInput, MEMBER_STATUSES, member, memberChange } from './member.schemas.ts';

const params = z.object({ id });

export const membersApi = api({
  service: 'identity',
  tag: 'Members',
  endpoints: {
    listMembers: endpoint({
      method: 'GET',
      path: '/api/members/',
      summary: 'List table members',
      role: 'viewer',
      scope: 'members:read',
      query: z.strictObject({
        ...page,
        status: filter(z.enum(MEMBER_STATUSES)),
        role: filter(z.enum(ROLES)),
      }),
      responses: { 200: listOf(member) },
    }),
    getMember: endpoint({
      method: 'GET',
      path: '/api/members/{id}/',
      summary: 'Return one member',
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
      role: 'admin',
      scope: 'members:write',
      params,
      responses: { 204: null },
    }),
  },
});
