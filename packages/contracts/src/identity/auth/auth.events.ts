import { z } from 'zod';
import { defineEvent } from '../../core/event.ts';
import { EXAMPLE_ID, EXAMPLE_TIME, id, timestamp } from '../../core/primitives.ts';
import { ROLES } from '../../core/roles.ts';

export const tokenRevoked = defineEvent({
  type: 'identity.token.revoked.v1',
  source: 'identity',
  summary: 'An API token is worth nothing from now on.',
  aggregate: 'token',
  data: z.object({ jti: id, expires_at: timestamp }),
  example: { jti: EXAMPLE_ID, expires_at: EXAMPLE_TIME },
});

export const accessChanged = defineEvent({
  type: 'identity.access.changed.v1',
  source: 'identity',
  summary: 'What a person may do at most from now on, whatever their tokens say, and from which address.',
  aggregate: 'access',
  data: z.object({
    user_id: id,
    /** Null for nothing at all: suspended, or not a member any more. */
    role: z.enum(ROLES).nullable(),
    /** The registered address; it counts where the settings ask for one. */
    address: z.string().nullable(),
  }),
  example: { user_id: EXAMPLE_ID, role: 'viewer', address: null },
});
