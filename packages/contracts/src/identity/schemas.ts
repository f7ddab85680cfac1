import { z } from 'zod';
import { id, text, timestamp } from '../core/primitives.ts';
import { ROLES, SCOPE_NAMES } from '../core/roles.ts';

export const me = z
  .object({
    user: z.object({
      id,
      name: z.string(),
      email: z.string(),
      picture: z.string().nullable(),
      ip: z.string().nullable(),
    }),
    organization: z.object({ id, name: z.string() }),
    role: z.enum(ROLES),
    scopes: z.array(z.enum(SCOPE_NAMES)),
    authenticated_by: z.enum(['session', 'api_token', 'development']),
    expires_at: timestamp.nullable(),
  })
  .meta({ id: 'Me' });

export const tokenInput = z
  .strictObject({
    name: text(80),
    scopes: z.array(z.enum(SCOPE_NAMES)).min(1).max(SCOPE_NAMES.length).optional(),
    expires_in_days: z.int().min(1).max(365).default(90),
  })
  .meta({ id: 'ApiTokenInput' });

export const apiToken = z
  .object({
    id,
    name: z.string(),
    scopes: z.array(z.enum(SCOPE_NAMES)),
    created_at: timestamp,
    expires_at: timestamp,
    revoked_at: timestamp.nullable(),
  })
  .meta({ id: 'ApiToken' });
export type ApiToken = z.output<typeof apiToken>;

/** The JWT itself stands here and nowhere else, once. */
export const createdToken = apiToken.extend({ token: z.string() }).meta({ id: 'CreatedApiToken' });

export const jwks = z.object({
  keys: z.array(
    z.object({
      kty: z.literal('EC'),
      crv: z.literal('P-256'),
      x: z.string(),
      y: z.string(),
      kid: z.string(),
      use: z.literal('sig'),
      alg: z.literal('ES256'),
    }),
  ),
});
