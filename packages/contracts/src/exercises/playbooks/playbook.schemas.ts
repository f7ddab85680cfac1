import { z } from 'zod';
import { engine } from '../../core/engine.ts';
import { EXAMPLE_ID, EXAMPLE_TIME, id, technique, text, timestamp } from '../../core/primitives.ts';
import { control } from '../scenarios/scenario.schemas.ts';

export const PHASES = [
  'preparation',
  'detection',
  'containment',
  'eradication',
  'recovery',
  'post_incident',
] as const;
export type Phase = (typeof PHASES)[number];

/** What the session showed of a step; `not_exercised` was never put to the table. */
export const EXERCISED = ['performed', 'late', 'missed', 'not_exercised'] as const;
export type Exercised = (typeof EXERCISED)[number];

/** The same from one version to the next, so that versions can be compared. */
const stepId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,119}$/, 'expected 1 to 120 plain characters');

export const playbookStep = z.strictObject({
  id: stepId,
  title: text(600),
  detail: z.string().max(8000),
  owner_role: text(120),
  target_minutes: z.number().positive().nullable(),
  depends_on: z.array(stepId).max(50),
  gap_ids: z.array(text(120)).max(3000),
  techniques: z.array(technique).max(200),
  controls: z.array(control).max(400),
  exercised: z.enum(EXERCISED),
  /** How long it took the table; null where it was not performed or nobody noted the time. */
  measured_minutes: z.number().min(0).nullable(),
});
export type PlaybookStep = z.output<typeof playbookStep>;

const content = {
  title: text(300),
  phases: z
    .array(z.strictObject({ phase: z.enum(PHASES), steps: z.array(playbookStep).max(4000) }))
    .max(PHASES.length),
};

/** What an engine writes. */
export const playbookContent = z.strictObject(content);
export type PlaybookContent = z.output<typeof playbookContent>;

/** One step that differs from the version before. */
export const playbookChange = z.strictObject({
  kind: z.enum(['added', 'removed', 'changed']),
  step_id: stepId,
  title: z.string(),
  /** The fields that changed; empty for a step that came or went. */
  fields: z.array(z.string()),
});
export type PlaybookChange = z.output<typeof playbookChange>;

export const playbook = z
  .object({
    session_id: id,
    version: z.int().min(1),
    engine,
    ...content,
    changes: z.array(playbookChange),
    created_at: timestamp,
  })
  .meta({
    id: 'Playbook',
    example: {
      session_id: EXAMPLE_ID,
      version: 1,
      engine: { kind: 'rules', degraded: false },
      title: 'Playbook: Ransomware: the first hour',
      phases: [
        {
          phase: 'containment',
          steps: [
            {
              id: 'I1.A1',
              title: 'Isolate the affected hosts',
              detail: 'When “Encrypted shares” or the like is reported. In the exercise it took 12 minutes.',
              owner_role: 'incident_commander',
              target_minutes: 15,
              depends_on: [],
              gap_ids: [],
              techniques: ['T1486'],
              controls: [{ framework: 'nist-csf-2.0', control: 'RS.MI-01' }],
              exercised: 'performed',
              measured_minutes: 12,
            },
          ],
        },
      ],
      changes: [],
      created_at: EXAMPLE_TIME,
    },
  });
export type Playbook = z.output<typeof playbook>;

export const playbookSummary = z
  .object({
    session_id: id,
    title: z.string(),
    version: z.int().min(1),
    engine,
    steps: z.int(),
    created_at: timestamp,
  })
  .meta({
    id: 'PlaybookSummary',
    example: {
      session_id: EXAMPLE_ID,
      title: 'Playbook: Ransomware: the first hour',
      version: 2,
      engine: { kind: 'rules', degraded: false },
      steps: 24,
      created_at: EXAMPLE_TIME,
    },
  });
export type PlaybookSummary = z.output<typeof playbookSummary>;
