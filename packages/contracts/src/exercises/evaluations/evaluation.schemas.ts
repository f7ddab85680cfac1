import { z } from 'zod';
import { engine } from '../../core/engine.ts';
import { EXAMPLE_ID, EXAMPLE_TIME, id, text, timestamp } from '../../core/primitives.ts';
import { control, localId } from '../scenarios/scenario.schemas.ts';
import { rating } from '../scores/scores.schemas.ts';

export const PRIORITIES = ['P1', 'P2', 'P3', 'P4'] as const;
export const priority = z.enum(PRIORITIES);
export type Priority = z.output<typeof priority>;

/** What a corrective action changes: the POETE elements of HSEEP's improvement plan. */
export const ELEMENTS = ['planning', 'organization', 'equipment', 'training', 'exercise'] as const;
export const element = z.enum(ELEMENTS);
export type Element = z.output<typeof element>;

/** Words of the session, as they were written: a part of a decision or of notes on this inject. */
export const sessionQuote = z.strictObject({ inject_id: localId, quote: z.string().min(1).max(1000) });
export type SessionQuote = z.output<typeof sessionQuote>;

const evidence = z.array(sessionQuote).max(20);

export const improvement = z.strictObject({
  title: text(300),
  recommendation: text(4000),
  priority,
  element,
  /** A role of the scenario, by its id; somebody else's AI may name any. */
  owner_role: text(120),
  due_in_days: z.int().min(1).max(1095),
  gap_ids: z.array(text(120)).max(3000).default([]),
  controls: z.array(control).max(400).default([]),
});
export type Improvement = z.output<typeof improvement>;

export const objectiveRating = z
  .strictObject({
    objective_id: localId,
    rating: rating.nullable(),
    rationale: text(4000),
    evidence: evidence.default([]),
  })
  .refine((one) => one.rating === null || one.evidence.length > 0, {
    path: ['evidence'],
    message: 'no rating without quoted evidence from the session',
  });
export type ObjectiveRating = z.output<typeof objectiveRating>;

const content = {
  summary: text(8000),
  strengths: z.array(z.strictObject({ text: text(2000), evidence: evidence.default([]) })).max(50),
  improvements: z.array(improvement).max(100),
  objective_ratings: z.array(objectiveRating).max(20),
};

/** What an engine writes about a session. */
export const evaluationContent = z.strictObject(content);
export type EvaluationContent = z.output<typeof evaluationContent>;

const evaluationExample = {
  session_id: EXAMPLE_ID,
  engine: { kind: 'rules', degraded: false },
  summary: 'The table took 1 of 2 expected actions and reached 75 of 100 (S).',
  strengths: [
    {
      text: 'Encrypted shares: isolated the affected hosts after 12 minutes (target 15).',
      evidence: [{ inject_id: 'I1', quote: 'We isolated both file servers' }],
    },
  ],
  improvements: [
    {
      title: 'Write down when the backup jobs are stopped, and by whom',
      recommendation:
        'Add a step to the ransomware plan: the incident commander stops the backup jobs within 30 minutes of a report like “Encrypted shares”.',
      priority: 'P4',
      element: 'planning',
      owner_role: 'incident_commander',
      due_in_days: 180,
      gap_ids: ['I1:A2'],
      controls: [{ framework: 'nist-csf-2.0', control: 'RS.MI-01' }],
    },
  ],
  objective_ratings: [
    {
      objective_id: 'O1',
      rating: 'S',
      rationale: '1 of 2 expected actions, score 75.',
      evidence: [{ inject_id: 'I1', quote: 'We isolated both file servers' }],
    },
  ],
  created_at: EXAMPLE_TIME,
} as const;

/** An evaluation that somebody else's AI wrote. What the server sets may be there and is ignored, but the model's name. */
export const evaluationInput = z
  .strictObject({
    ...content,
    session_id: z.unknown().optional(),
    engine: z.looseObject({ model: text(120).optional() }).optional(),
    created_at: z.unknown().optional(),
  })
  .meta({ id: 'EvaluationInput', example: evaluationExample });
export type EvaluationInput = z.output<typeof evaluationInput>;

export const evaluation = z
  .object({ session_id: id, engine, ...content, created_at: timestamp })
  .meta({ id: 'Evaluation', example: evaluationExample });
export type Evaluation = z.output<typeof evaluation>;

/** Nothing for an evaluation by the product's own engine, or one that somebody else's AI wrote. */
export const evaluationRequest = z
  .strictObject({ evaluation: evaluationInput.optional() })
  .default({})
  .meta({ id: 'EvaluationRequest', example: {} });
