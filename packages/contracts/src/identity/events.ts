import { z } from 'zod';
import { defineEvent } from '../core/event.ts';
import { id, timestamp } from '../core/primitives.ts';
import { ROLES } from '../core/roles.ts';

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
    member_id: '01923f5e-7b1a-7c3d-9e2f-5a6b7c8d9e0f',
    name: 'Head of IT',
    email: 'head.of.it@example.org',
    role: 'owner',
    status: 'active',
  },
});

export const tokenRevoked = defineEvent({
  type: 'identity.token.revoked.v1',
  source: 'identity',
  summary: 'An API token is worth nothing from now on.',
  aggregate: 'token',
  data: z.object({ jti: id, expires_at: timestamp }),
  example: { jti: '01923f5e-7b1a-7c3d-9e2f-5a6b7c8d9e0f', expires_at: '2026-06-01T00:00:00.000Z' },
});
