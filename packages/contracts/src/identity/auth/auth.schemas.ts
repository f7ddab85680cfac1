import { z } from 'zod';
import { EXAMPLE_ID, EXAMPLE_TIME, id, text, timestamp } from '../../core/primitives.ts';
import { ROLES, SCOPE_NAMES } from '../../core/roles.ts';
import { settingsFacts, settingsFactsExample } from '../settings/settings.schemas.ts';

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
  .meta({
    id: 'Me',
    example: {
      user: {
        id: EXAMPLE_ID,
        name: 'Head of IT',
        email: 'head.of.it@example.org',
        picture: null,
        ip: null,
      },
      organization: { id: EXAMPLE_ID, name: 'Example Hospital' },
      role: 'facilitator',
      scopes: ['scenarios:read', 'scenarios:write', 'sessions:read', 'sessions:write'],
      authenticated_by: 'session',
      expires_at: EXAMPLE_TIME,
    },
  });
export type Me = z.output<typeof me>;

export const ipInput = z
  .strictObject({ ip: z.union([z.ipv4(), z.ipv6()]).optional() })
  .optional()
  .meta({ id: 'IpInput', example: { ip: '192.0.2.10' } });

export const registeredIp = z
  .object({ ip: z.string(), updated_at: timestamp })
  .meta({ id: 'RegisteredIp', example: { ip: '192.0.2.10', updated_at: EXAMPLE_TIME } });

/** The longest life of an API token in days. */
export const MAX_TOKEN_DAYS = 365;

export const tokenInput = z
  .strictObject({
    name: text(80),
    /** Absent: those that read. */
    scopes: z.array(z.enum(SCOPE_NAMES)).min(1).max(SCOPE_NAMES.length).optional(),
    /** Absent: 90, or what the organization allows at most. */
    expires_in_days: z.int().min(1).max(MAX_TOKEN_DAYS).optional(),
  })
  .meta({
    id: 'ApiTokenInput',
    example: { name: 'SIEM forwarder', scopes: ['sessions:read'], expires_in_days: 30 },
  });

const apiTokenExample = {
  id: EXAMPLE_ID,
  name: 'SIEM forwarder',
  scopes: ['sessions:read'],
  created_at: EXAMPLE_TIME,
  expires_at: '2026-03-31T09:30:00.000Z',
  last_used_at: null,
  revoked_at: null,
};

export const apiToken = z
  .object({
    id,
    name: z.string(),
    scopes: z.array(z.enum(SCOPE_NAMES)),
    created_at: timestamp,
    expires_at: timestamp,
    last_used_at: timestamp.nullable(),
    revoked_at: timestamp.nullable(),
  })
  .meta({ id: 'ApiToken', example: apiTokenExample });
export type ApiToken = z.output<typeof apiToken>;

/** The JWT itself stands here and nowhere else, once. */
export const createdToken = apiToken
  .extend({ token: z.string() })
  .meta({ id: 'CreatedApiToken', example: { ...apiTokenExample, token: '<header>.<claims>.<signature>' } });

/** Whom a service has heard nothing of; `proof` is made with the secret that all services share. */
export const standingInput = z
  .strictObject({
    org: z.string().min(1).max(80),
    user_id: z.string().min(1).max(80),
    jti: z.string().min(1).max(80),
    proof: z.string().max(100),
  })
  .meta({
    id: 'StandingInput',
    example: { org: EXAMPLE_ID, user_id: EXAMPLE_ID, jti: EXAMPLE_ID, proof: '<HMAC-SHA256>' },
  });

/** What `access.changed`, `settings.updated` and `token.revoked` have told of somebody and their organization so far. */
export const standing = z
  .object({
    access: z.object({
      version: z.int().min(0),
      role: z.enum(ROLES).nullable(),
      address: z.string().nullable(),
    }),
    /** Null for an organization that is not there. */
    settings: z.object({ version: z.int().min(0), facts: settingsFacts }).nullable(),
    revoked: z.boolean(),
  })
  .meta({
    id: 'Standing',
    example: {
      access: { version: 2, role: 'facilitator', address: null },
      settings: { version: 3, facts: settingsFactsExample },
      revoked: false,
    },
  });
export type AccessStanding = z.output<typeof standing>;

/** Its example is the key of RFC 7517, appendix A.1. */
export const jwks = z
  .object({
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
  })
  .meta({
    id: 'Jwks',
    example: {
      keys: [
        {
          kty: 'EC',
          crv: 'P-256',
          x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
          y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
          kid: '1',
          use: 'sig',
          alg: 'ES256',
        },
      ],
    },
  });
