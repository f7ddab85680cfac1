import { z } from 'zod';
import { scenarioFilename, technique, text, timestamp } from '../../core/primitives.ts';
import { scenarioExample, scenarioSummaryExample, storedScenarioExample } from '../examples.ts';

export const CATEGORIES = [
  'ransomware',
  'phishing',
  'business_email_compromise',
  'insider',
  'supply_chain',
  'cloud',
  'data_breach',
  'ddos',
  'ot',
  'third_party',
  'physical',
  'other',
] as const;
export const DIFFICULTIES = ['introductory', 'intermediate', 'advanced'] as const;
export const AUDIENCES = ['executive', 'technical', 'legal', 'communications', 'operations'] as const;
export const CAPABILITIES = [
  'governance',
  'risk_awareness',
  'identity_access',
  'detection',
  'analysis',
  'communication',
  'containment',
  'eradication',
  'recovery',
  'decision_making',
  'regulatory',
  'third_party',
] as const;
export const CHANNELS = ['email', 'phone', 'chat', 'siem', 'news', 'in_person'] as const;
/** Inject types of HSEEP's master scenario events list. */
export const INJECT_TYPES = ['standard', 'contingency', 'complexity'] as const;
/**
 * Laws whose clock an inject can start: GDPR (72 h to the authority), NIS2 (24 h and 72 h), DORA (4 h after the
 * incident is classified as major, 72 h).
 */
export const REGULATIONS = ['gdpr', 'nis2', 'dora'] as const;
/** Their reporting deadlines by name; `CLOCKS` says what each is. */
export const REPORTS = ['gdpr-72h', 'nis2-24h', 'nis2-72h', 'dora-4h', 'dora-72h'] as const;
export const SOURCES = ['builtin', 'upload', 'intel', 'event', 'ai'] as const;

export const capability = z.enum(CAPABILITIES);
export type Capability = z.output<typeof capability>;

/** The id of something inside a scenario: an inject, an action, an objective, a role. */
export const localId = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$/,
    'expected 1 to 40 letters, digits, dots, dashes or underscores',
  );

export const control = z.strictObject({ framework: text(40), control: text(40) });

const role = z.strictObject({
  id: localId,
  name: text(120),
  responsibilities: z.string().max(2000).default(''),
});

const objective = z.strictObject({
  id: localId,
  title: text(300),
  capability,
  controls: z.array(control).max(20).default([]),
});

const expectedAction = z.strictObject({
  id: localId,
  text: text(500),
  weight: z.number().positive().max(10).default(1),
  critical: z.boolean().default(false),
  target_minutes: z.number().positive().max(10_080).nullish(),
  keywords: z.array(text(80)).max(40).default([]),
  reports: z
    .array(z.enum(REPORTS))
    .max(REPORTS.length)
    .optional()
    .meta({ description: 'The reporting deadlines that doing this meets.' }),
  classifies: z
    .boolean()
    .optional()
    .meta({ description: 'Doing this classifies the incident as major, which starts the DORA deadlines.' }),
});
export type ExpectedAction = z.output<typeof expectedAction>;

const inject = z.strictObject({
  id: localId,
  offset_minutes: z.number().min(0).max(43_200),
  title: text(200),
  description: text(8000),
  from: z.string().max(120).default(''),
  to: z.array(localId).max(30).default([]),
  channel: z.enum(CHANNELS),
  type: z.enum(INJECT_TYPES).default('standard'),
  objective_ids: z.array(localId).max(20).default([]),
  techniques: z.array(technique).max(30).default([]),
  regulatory: z
    .array(z.enum(REGULATIONS))
    .max(REGULATIONS.length)
    .optional()
    .meta({ description: 'The regulatory clocks that this inject starts, in the minute it is played.' }),
  story_hours: z
    .number()
    .min(0)
    .max(8760)
    .optional()
    .meta({ description: 'How many hours of the story have passed by now: for "the next morning".' }),
  only_if: z.strictObject({ inject_id: localId, action_id: localId, taken: z.boolean() }).nullish(),
  expected_actions: z.array(expectedAction).max(30).default([]),
  discussion_questions: z.array(text(500)).max(20).default([]),
  facilitator_notes: z.string().max(8000).default(''),
});
export type Inject = z.output<typeof inject>;

const content = {
  schema_version: z.literal(1).default(1),
  title: text(200),
  summary: text(2000),
  category: z.enum(CATEGORIES),
  difficulty: z.enum(DIFFICULTIES),
  duration_minutes: z.int().min(5).max(10_080),
  audience: z.array(z.enum(AUDIENCES)).min(1).max(5),
  industries: z.array(text(60)).max(20).default([]),
  tags: z.array(text(40)).max(30).default([]),
  threat: z.strictObject({
    actor: z.string().max(200).default(''),
    techniques: z.array(technique).max(60).default([]),
  }),
  roles: z.array(role).min(1).max(30),
  objectives: z.array(objective).min(1).max(20),
  injects: z.array(inject).min(1).max(100),
};

/** What an author writes: a scenario without what the server sets. */
export const scenarioContent = z.strictObject(content);
export type ScenarioContent = z.output<typeof scenarioContent>;

/** An upload: server-set fields may be there (a downloaded scenario, sent back) and are ignored. */
export const scenarioUpload = z
  .strictObject({
    filename: scenarioFilename.optional(),
    ...content,
    source: z.unknown().optional(),
    content_hash: z.unknown().optional(),
    created_by: z.unknown().optional(),
    created_at: z.unknown().optional(),
    updated_at: z.unknown().optional(),
  })
  .meta({ id: 'ScenarioUpload', example: scenarioExample });

export const scenario = z
  .object({
    filename: scenarioFilename,
    ...content,
    source: z.enum(SOURCES),
    content_hash: z.string(),
    created_by: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Scenario', example: storedScenarioExample });
export type Scenario = z.output<typeof scenario>;

export const scenarioSummary = z
  .object({
    filename: scenarioFilename,
    title: z.string(),
    summary: z.string(),
    category: z.enum(CATEGORIES),
    difficulty: z.enum(DIFFICULTIES),
    duration_minutes: z.int(),
    injects: z.int(),
    objectives: z.int(),
    techniques: z.array(technique),
    source: z.enum(SOURCES),
    updated_at: timestamp,
  })
  .meta({ id: 'ScenarioSummary', example: scenarioSummaryExample });
export type ScenarioSummary = z.output<typeof scenarioSummary>;
