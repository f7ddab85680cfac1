import { z } from 'zod';
import { EXAMPLE_ID, EXAMPLE_TIME, id, text, timestamp } from '../../core/primitives.ts';

/** A mail domain as it stands behind the @, in lower case. */
const emailDomain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, 'expected a domain such as example.org');

const timezone = z.string().refine((name) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}, 'expected a time zone such as Europe/Vienna');

const webUrl = z.url({ protocol: /^https?$/ }).max(2000);
const score = z.number().min(0).max(100);

const organization = { name: text(120), logo_url: webUrl.nullable(), timezone };
const ai = {
  provider: z.enum(['rules', 'openai_compatible', 'anthropic']),
  base_url: webUrl.nullable(),
  model: text(200).nullable(),
  timeout_ms: z.int().min(1_000).max(120_000),
  /** Tokens a calendar month, in and out; past it the rules engine answers. */
  monthly_tokens: z.int().min(0),
  redact_personal_data: z.boolean(),
};
const security = {
  allowed_email_domains: z.array(emailDomain).max(50),
  ip_allowlist: z.boolean(),
  session_hours: z
    .int()
    .min(1)
    .max(24 * 30),
  api_token_max_days: z.int().min(1).max(365),
};
const notifications = { smtp_from: z.email().max(254).nullable(), webhook_url: webUrl.nullable() };
const retention = { events_days: z.int().min(1).max(3650), intel_days: z.int().min(1).max(3650) };
/** From which score on a result is P, S or M; below it is U. */
const bands = z
  .strictObject({ P: score, S: score, M: score })
  .refine(({ P, S, M }) => P > S && S > M, 'expected P > S > M');

/** What an organization has that sets nothing. */
export const DEFAULT_SETTINGS = {
  organization: { name: 'Organization', logo_url: null, timezone: 'UTC' },
  ai: {
    provider: 'rules',
    base_url: null,
    model: null,
    timeout_ms: 30_000,
    monthly_tokens: 2_000_000,
    redact_personal_data: true,
  },
  security: { allowed_email_domains: [], ip_allowlist: false, session_hours: 12, api_token_max_days: 365 },
  notifications: { smtp_from: null, webhook_url: null },
  retention: { events_days: 365, intel_days: 730 },
  scoring: { bands: { P: 80, S: 65, M: 50 } },
} as const;

/** Whether a mail domain is proven to be the organization's, and by which DNS record. Only the server says so. */
export const domainClaim = z.object({
  domain: z.string(),
  state: z.enum(['unproven', 'proven', 'missing']).meta({
    description:
      'unproven: admits nobody. missing: proven, and its record is gone; it stays proven for 7 days',
  }),
  record: z.object({ type: z.literal('TXT'), name: z.string(), value: z.string() }),
  proven_at: timestamp.nullable(),
  missing_since: timestamp.nullable(),
  checked_at: timestamp.nullable(),
  detail: z.string().meta({ description: 'what it means, and what to do' }),
});
export type DomainClaim = z.output<typeof domainClaim>;

const domainExample: DomainClaim = {
  domain: 'example.org',
  state: 'unproven',
  record: {
    type: 'TXT',
    name: '_muster-challenge.example.org',
    value: 'muster-domain=2f0c9b6d1e5a4837a1b2c3d4e5f60718',
  },
  proven_at: null,
  missing_since: null,
  checked_at: EXAMPLE_TIME,
  detail: 'It admits nobody yet: add this record to the DNS of the domain, then check again.',
};

const settingsExample = {
  ...DEFAULT_SETTINGS,
  organization: { name: 'Example Hospital', logo_url: null, timezone: 'Europe/Vienna' },
  security: { ...DEFAULT_SETTINGS.security, allowed_email_domains: ['example.org'] },
};

export const settings = z
  .object({
    organization: z.object(organization),
    ai: z.object({ ...ai, api_key_set: z.boolean() }),
    security: z.object({ ...security, domains: z.array(domainClaim) }),
    notifications: z.object(notifications),
    retention: z.object(retention),
    scoring: z.object({ bands }),
    version: z.int().min(0),
    updated_at: timestamp.nullable(),
  })
  .meta({
    id: 'Settings',
    example: {
      ...settingsExample,
      ai: { ...settingsExample.ai, api_key_set: false },
      security: { ...settingsExample.security, domains: [domainExample] },
      version: 3,
      updated_at: EXAMPLE_TIME,
    },
  });
export type Settings = z.output<typeof settings>;

/**
 * A change of settings: what is left out stays as it is. `ai.api_key` is written and never read; null removes it. What
 * only the server sets is taken and ignored, so that what was read can be sent back.
 */
export const settingsInput = z
  .strictObject({
    organization: z.strictObject(organization).partial().optional(),
    ai: z
      .strictObject({ ...ai, api_key: z.string().min(1).max(4000).nullable(), api_key_set: z.unknown() })
      .partial()
      .optional(),
    security: z
      .strictObject({ ...security, domains: z.unknown() })
      .partial()
      .optional(),
    notifications: z.strictObject(notifications).partial().optional(),
    retention: z.strictObject(retention).partial().optional(),
    scoring: z.strictObject({ bands }).partial().optional(),
    version: z.unknown().optional(),
    updated_at: z.unknown().optional(),
  })
  .meta({
    id: 'SettingsInput',
    example: {
      organization: { name: 'Example Hospital', timezone: 'Europe/Vienna' },
      security: { allowed_email_domains: ['example.org'], session_hours: 8 },
    },
  });

/** A secret at rest and on its way between services: only who holds the key-encryption key opens it. */
export const sealedSecret = z.object({ key_id: z.string(), wrapped_key: z.string(), ciphertext: z.string() });

/** The settings as the other services keep them. */
export const settingsFacts = z.object({
  organization: z.object(organization),
  ai: z.object({ ...ai, api_key: sealedSecret.nullable() }),
  security: z.object(security),
  notifications: z.object(notifications),
  retention: z.object(retention),
  scoring: z.object({ bands }),
});
export type SettingsFacts = z.output<typeof settingsFacts>;
export const settingsFactsExample = { ...settingsExample, ai: { ...settingsExample.ai, api_key: null } };

export const settingsTestInput = z
  .strictObject({ target: z.enum(['ai', 'mail']) })
  .meta({ id: 'SettingsTestInput', example: { target: 'mail' } });

export const settingsTest = z
  .object({
    id,
    target: z.enum(['ai', 'mail']),
    ok: z.boolean(),
    latency_ms: z.int().min(0),
    detail: z.string(),
    at: timestamp,
  })
  .meta({
    id: 'SettingsTest',
    example: {
      id: EXAMPLE_ID,
      target: 'mail',
      ok: true,
      latency_ms: 84,
      detail: 'The mail server took a message to you.',
      at: EXAMPLE_TIME,
    },
  });
export type SettingsTest = z.output<typeof settingsTest>;
