import { z } from 'zod';
import { engine } from '../../core/engine.ts';
import { EXAMPLE_ID, EXAMPLE_TIME, id, technique, text, timestamp } from '../../core/primitives.ts';
import { priority } from '../../exercises/evaluations/evaluation.schemas.ts';

export const VERDICTS = [
  'true_positive',
  'false_positive',
  'benign',
  'suspicious',
  'test',
  'unknown',
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Severities of a security event, gravest last. */
export const EVENT_SEVERITIES = ['informational', 'low', 'medium', 'high', 'critical'] as const;
export type EventSeverity = (typeof EVENT_SEVERITIES)[number];

/** Words of the event, as they came, and the field they stand in. */
export const eventQuote = z.strictObject({ field: text(120), quote: z.string().min(1).max(1000) });
export type EventQuote = z.output<typeof eventQuote>;

/** What an engine says of an event. */
export const triageContent = z.strictObject({
  verdict: z.enum(VERDICTS),
  priority,
  severity: z.enum(EVENT_SEVERITIES),
  confidence: z.number().min(0).max(1),
  summary: text(4000),
  rationale: z
    .array(z.strictObject({ text: text(2000), evidence: z.array(eventQuote).max(20) }))
    .min(1)
    .max(30),
  techniques: z.array(technique).max(60),
  recommended_actions: z.array(text(1000)).max(20),
  similar_events: z.array(id).max(200),
  /** How much a table would learn from this event, 0..100. */
  training_value: z.int().min(0).max(100),
  training_reason: text(1000),
});
export type TriageContent = z.output<typeof triageContent>;

/** Like events of one day (UTC) are one group, which is triaged as one; so many it had then, up to 100 000. */
export const eventGroup = z.object({ id: z.string(), size: z.int().min(1) });
export type EventGroup = z.output<typeof eventGroup>;

export const triage = z
  .object({ event_id: id, group: eventGroup, engine, ...triageContent.shape, at: timestamp })
  .meta({
    id: 'Triage',
    example: {
      event_id: EXAMPLE_ID,
      group: { id: 'q3rZ0pV8cQm1Yx2nT7uKbA', size: 1 },
      engine: { kind: 'rules', degraded: false },
      verdict: 'true_positive',
      priority: 'P1',
      severity: 'critical',
      confidence: 0.85,
      summary: 'Files are being encrypted on FS-02, which the organization depends on.',
      rationale: [
        {
          text: 'Describes encryption of files for impact (T1486).',
          evidence: [{ field: 'title', quote: 'Mass file encryption on FS-02' }],
        },
      ],
      techniques: ['T1486'],
      recommended_actions: ['Isolate FS-02 from the network and leave it powered on.'],
      similar_events: [],
      training_value: 80,
      training_reason:
        'A real critical incident on an important system, and nothing like it was seen before.',
      at: EXAMPLE_TIME,
    },
  });
export type Triage = z.output<typeof triage>;
