import { z } from 'zod';
import { EXAMPLE_ID, EXAMPLE_TIME, id, text, timestamp } from '../../core/primitives.ts';
import { ROLES } from '../../core/roles.ts';

export const MEMBER_STATUSES = ['invited', 'active', 'suspended'] as const;

const email = z.string().trim().toLowerCase().max(254).pipe(z.email());
const memberExample = {
  id: EXAMPLE_ID,
  name: 'IT operations',
  email: 'it.operations@example.org',
  role: 'facilitator',
  status: 'active',
  invited_by: EXAMPLE_ID,
  invited_at: EXAMPLE_TIME,
  joined_at: EXAMPLE_TIME,
  last_seen_at: EXAMPLE_TIME,
};

export const member = z
  .object({
    id,
    name: z.string(),
    email: z.string(),
    role: z.enum(ROLES),
    status: z.enum(MEMBER_STATUSES),
    invited_by: z.string().nullable(),
    invited_at: timestamp.nullable(),
    joined_at: timestamp.nullable(),
    last_seen_at: timestamp.nullable(),
  })
  .meta({ id: 'Member', example: memberExample });
export type Member = z.output<typeof member>;

export const inviteInput = z
  .strictObject({ email, role: z.enum(ROLES), name: text(120).optional() })
  .meta({ id: 'InviteInput', example: { email: 'it.operations@example.org', role: 'facilitator' } });

/** `url` only where no mail server is configured: then somebody has to hand it over. */
export const invitedMember = member
  .extend({ invite: z.object({ expires_at: timestamp, url: z.string().optional() }) })
  .meta({
    id: 'InvitedMember',
    example: {
      ...memberExample,
      status: 'invited',
      joined_at: null,
      last_seen_at: null,
      invite: { expires_at: '2026-03-04T09:30:00.000Z' },
    },
  });

export const memberChange = z
  .strictObject({
    role: z.enum(ROLES).optional(),
    status: z.enum(['active', 'suspended']).optional(),
    name: text(120).optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'expected a role, a status or a name')
  .meta({ id: 'MemberChange', example: { role: 'viewer' } });
