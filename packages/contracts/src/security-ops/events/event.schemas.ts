import { z } from 'zod';
import { EXAMPLE_ID, EXAMPLE_TIME, id, technique, text, timestamp } from '../../core/primitives.ts';
import { problem } from '../../core/problem.ts';
import { priority } from '../../exercises/evaluations/evaluation.schemas.ts';
import { INDICATOR_TYPES } from '../../intel/items/item.schemas.ts';
import { EVENT_SEVERITIES, triage, VERDICTS } from '../triage/triage.schemas.ts';

export const EVENT_STATUSES = ['new', 'triaged', 'in_progress', 'resolved', 'closed'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** The formats in which events are understood; `auto` looks at each. */
export const EVENT_FORMATS = ['native', 'ocsf', 'ecs', 'cef', 'thehive'] as const;
export type EventFormat = (typeof EVENT_FORMATS)[number];

/** What an indicator is; `other` is what is none of the kinds that intelligence knows. */
const EVENT_INDICATOR_TYPES = [...INDICATOR_TYPES, 'other'] as const;
export type EventIndicatorType = (typeof EVENT_INDICATOR_TYPES)[number];

/** The most that one event, and one batch, may hold. */
export const EVENT_LIMITS = {
  batch: 10_000,
  batchBytes: 10 * 1024 * 1024,
  rawBytes: 64 * 1024,
  assets: 100,
  users: 100,
  indicators: 200,
  techniques: 60,
  /** What a batch's domain event tells of one by one. */
  digests: 50,
} as const;

export const eventIndicator = z.strictObject({ type: z.enum(EVENT_INDICATOR_TYPES), value: text(2000) });
export type EventIndicator = z.output<typeof eventIndicator>;

export const eventAsset = z.strictObject({
  name: text(300),
  /** Such as `host`, `account`, `application`, `mailbox`. */
  kind: text(60).default('host'),
});

export const securityEventInput = z
  .strictObject({
    title: text(500),
    description: z.string().trim().max(10_000).default(''),
    severity: z.enum(EVENT_SEVERITIES).default('medium'),
    status: z.enum(EVENT_STATUSES).default('new'),
    /** The product that saw it. */
    source: text(200).default('api'),
    /** The event's id at its source. Without one, an event of the same content is the same event. */
    external_id: text(500).optional(),
    category: text(120).nullish(),
    occurred_at: timestamp.optional(),
    techniques: z.array(technique).max(EVENT_LIMITS.techniques).default([]),
    assets: z.array(eventAsset).max(EVENT_LIMITS.assets).default([]),
    users: z.array(text(300)).max(EVENT_LIMITS.users).default([]),
    /** A value, also in defanged form, or a value with its type. */
    indicators: z
      .array(z.union([text(2000), eventIndicator]))
      .max(EVENT_LIMITS.indicators)
      .default([]),
    /** Anything: the event as its source has it. */
    raw: z.unknown().optional(),
  })
  .meta({
    id: 'SecurityEventInput',
    example: {
      title: 'Mass file encryption on FS-02',
      description: 'More than 500 files were renamed to .locked within a minute.',
      severity: 'critical',
      source: 'endpoint-protection',
      external_id: 'alert-4711',
      category: 'malware',
      occurred_at: EXAMPLE_TIME,
      techniques: ['T1486'],
      assets: [{ name: 'FS-02', kind: 'host' }],
      users: ['svc-backup'],
      indicators: ['203.0.113[.]7', { type: 'domain', value: 'updates.example' }],
      raw: { rule: 'ransomware-behaviour' },
    },
  });
export type SecurityEventInput = z.input<typeof securityEventInput>;
export type SecurityEventContent = z.output<typeof securityEventInput>;

const stored = {
  id,
  title: z.string(),
  severity: z.enum(EVENT_SEVERITIES),
  status: z.enum(EVENT_STATUSES),
  source: z.string(),
  external_id: z.string(),
  category: z.string().nullable(),
  occurred_at: timestamp,
  received_at: timestamp,
  techniques: z.array(technique),
  assets: z.array(eventAsset),
  users: z.array(z.string()),
  indicators: z.array(eventIndicator),
  format: z.enum(EVENT_FORMATS),
};
const example = securityEventInput.meta()?.example as SecurityEventInput;
const storedExample = {
  id: EXAMPLE_ID,
  title: example.title,
  severity: 'critical' as const,
  status: 'triaged' as const,
  source: 'endpoint-protection',
  external_id: 'alert-4711',
  category: 'malware',
  occurred_at: EXAMPLE_TIME,
  received_at: EXAMPLE_TIME,
  techniques: ['T1486'],
  assets: [{ name: 'FS-02', kind: 'host' }],
  users: ['svc-backup'],
  indicators: [
    { type: 'ipv4' as const, value: '203.0.113.7' },
    { type: 'domain' as const, value: 'updates.example' },
  ],
  format: 'native' as const,
};

/** An event as lists show it. */
export const eventSummary = z
  .object({
    ...stored,
    triage: z.object({ verdict: z.enum(VERDICTS), priority, training_value: z.int() }).nullable(),
  })
  .meta({
    id: 'SecurityEventSummary',
    example: {
      ...storedExample,
      triage: { verdict: 'true_positive', priority: 'P1', training_value: 80 },
    },
  });
export type EventSummary = z.output<typeof eventSummary>;

export const securityEvent = z
  .object({
    ...stored,
    description: z.string(),
    raw: z.unknown(),
    /** Like events of one day have the same, and are triaged as one. */
    group_id: z.string(),
    triage: triage.nullable(),
  })
  .meta({
    id: 'SecurityEvent',
    example: {
      ...storedExample,
      description: example.description,
      raw: { rule: 'ransomware-behaviour' },
      group_id: 'q3rZ0pV8cQm1Yx2nT7uKbA',
      triage: triage.meta()?.example,
    },
  });
export type SecurityEvent = z.output<typeof securityEvent>;

/** What became of a batch. What is rejected is named by its place, from 0; all else is stored. */
export const eventBatchResult = z
  .object({
    accepted: z.int().min(0),
    duplicates: z.int().min(0),
    rejected: z.array(z.object({ index: z.int().min(0), errors: problem.shape.errors.unwrap() })),
    /** Of the accepted, in their order. */
    ids: z.array(id),
  })
  .meta({
    id: 'EventBatchResult',
    example: {
      accepted: 1,
      duplicates: 0,
      rejected: [
        { index: 1, errors: [{ path: '/title', code: 'invalid_type', message: 'expected a string' }] },
      ],
      ids: [EXAMPLE_ID],
    },
  });
export type EventBatchResult = z.output<typeof eventBatchResult>;

const foreign = z.record(z.string(), z.unknown());

/** One event or a list of them, of any format that is understood; lines of JSON or CEF as text. */
export const eventDelivery = z
  .union([securityEventInput, foreign, z.array(foreign).max(EVENT_LIMITS.batch), z.string()])
  .meta({ id: 'DeliveredEvents', example: securityEventInput.meta()?.example });

export const eventChange = z
  .strictObject({ status: z.enum(EVENT_STATUSES) })
  .meta({ id: 'SecurityEventChange', example: { status: 'in_progress' } });

/** What others are told of a single event. */
export const eventDigest = z.object({
  id,
  title: z.string(),
  severity: z.enum(EVENT_SEVERITIES),
  source: z.string(),
  category: z.string().nullable(),
  techniques: z.array(technique),
  asset_kinds: z.array(z.string()),
  occurred_at: timestamp,
});
export const eventDigestExample = {
  id: EXAMPLE_ID,
  title: 'Mass file encryption on FS-02',
  severity: 'critical' as const,
  source: 'endpoint-protection',
  category: 'malware',
  techniques: ['T1486'],
  asset_kinds: ['host'],
  occurred_at: EXAMPLE_TIME,
};
