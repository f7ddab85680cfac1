import { z } from 'zod';
import { id, technique, timestamp } from '../../core/primitives.ts';
import { gapExample, scoresExample } from '../examples.ts';
import { regulatoryClock } from '../regulatory/regulatory.schemas.ts';
import { capability, control, localId } from '../scenarios/scenario.schemas.ts';

/** HSEEP ratings: performed without challenges, with some, with major ones, unable to be performed. */
export const RATINGS = ['P', 'S', 'M', 'U'] as const;
export const rating = z.enum(RATINGS);
export type Rating = z.output<typeof rating>;

/** Gap severities, gravest last. */
export const GAP_SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;

const score = z.number().min(0).max(100);
const maturityLevel = z.int().min(1).max(5);

export const capabilityScore = z.object({
  capability,
  score,
  weight: z.number(),
  actions_expected: z.int(),
  actions_taken: z.int(),
});

export const gap = z
  .object({
    id: z.string(),
    capability,
    severity: z.enum(GAP_SEVERITIES),
    title: z.string(),
    detail: z.string(),
    inject_id: localId,
    action_id: localId,
    objective_id: localId.nullable(),
    controls: z.array(control),
    techniques: z.array(technique),
    reason: z.enum(['missed', 'late']),
  })
  .meta({ id: 'Gap', example: gapExample });
export type Gap = z.output<typeof gap>;

export const scoresSummary = z.object({
  overall: score,
  rating,
  maturity_level: maturityLevel,
  gaps: z.int(),
});
export type ScoresSummary = z.output<typeof scoresSummary>;

export const scores = z
  .object({
    session_id: id,
    method: z.literal('muster-1'),
    overall: score,
    rating,
    maturity_level: maturityLevel,
    capabilities: z.array(capabilityScore),
    objectives: z.array(
      z.object({
        id: localId,
        title: z.string(),
        score: score.nullable(),
        rating: rating.nullable(),
        rating_source: z.enum(['computed', 'observer']),
      }),
    ),
    injects: z.array(
      z.object({
        id: localId,
        applied: z.boolean(),
        score: score.nullable(),
        taken: z.array(localId),
        missed: z.array(localId),
        /** Response time in minutes; null where it is not known. */
        minutes: z.number().nullable(),
        timing: z.enum(['known', 'unknown', 'unanswered']),
        late: z.array(localId),
        /** The sentences that showed an action which was not listed by id. */
        evidence: z.array(z.object({ action_id: localId, quote: z.string() })),
      }),
    ),
    strengths: z.array(z.object({ capability, title: z.string(), inject_id: localId })),
    gaps: z.array(gap),
    /** The reporting deadlines that the session started. */
    regulatory: z.array(regulatoryClock),
    computed_at: timestamp,
  })
  .meta({ id: 'Scores', example: scoresExample });
export type Scores = z.output<typeof scores>;
