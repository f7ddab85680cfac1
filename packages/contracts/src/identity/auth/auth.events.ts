import { z } from 'zod';
import type { ServiceName } from '../../core/endpoint.ts';
import { defineEvent } from '../../core/event.ts';
import { EXAMPLE_ID, EXAMPLE_TIME, id, timestamp } from '../../core/primitives.ts';
import { ROLES } from '../../core/roles.ts';
import { changeRecordedBy } from '../../platform/changes/change.schemas.ts';
import { settingsFacts, settingsFactsExample } from '../settings/settings.schemas.ts';

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

export const settingsUpdated = defineEvent({
  type: 'identity.settings.updated.v1',
  source: 'identity',
  summary: 'The settings of an organization, as they are now. Secrets are sealed.',
  aggregate: 'settings',
  data: settingsFacts,
  example: settingsFactsExample,
});

export const identityChangeRecorded = changeRecordedBy('identity');

/** A token was used with a service, which tells it at most once a minute from each process. */
export function tokenUsedBy<Service extends ServiceName>(source: Service) {
  return defineEvent({
    type: `${source}.token.used.v1`,
    source,
    summary: 'A token was used here: told once a minute at most.',
    aggregate: 'token',
    data: z.object({ jti: id, user_id: id, at: timestamp }),
    example: { jti: EXAMPLE_ID, user_id: EXAMPLE_ID, at: EXAMPLE_TIME },
  });
}
