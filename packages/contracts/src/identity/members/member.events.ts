import { z } from 'zod';
import { defineEvent } from '../../core/event.ts';
import { EXAMPLE_ID, id } from '../../core/primitives.ts';
import { ROLES } from '../../core/roles.ts';

export const memberChanged = defineEvent({
  type: 'identity.member.changed.v1',
  source: 'identity',
  summary: 'A member joined, changed or left; carries the member as it is now.',
  aggregate: 'member',
  data: z.object({
    member_id: id,
    name: z.string(),
    email: z.string(),
    role: z.enum(ROLES),
    status: z.enum(['invited', 'active', 'suspended', 'removed']),
  }),
  example: {
    member_id: EXAMPLE_ID,
    name: 'Head of IT',
    email: 'head.of.it@example.org',
    role: 'owner',
    status: 'active',
  },
});
