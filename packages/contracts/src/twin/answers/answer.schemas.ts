import { z } from 'zod';
import { engine } from '../../core/engine.ts';
import { EXAMPLE_ID, EXAMPLE_TIME, text, timestamp } from '../../core/primitives.ts';

export const queryInput = z
  .strictObject({ question: text(2000) })
  .meta({ id: 'TwinQuery', example: { question: 'How many administrators have no second factor?' } });

/** Where a fact comes from. */
export const factSource = z.strictObject({
  kind: z.string().max(60),
  ref: z.string().max(500),
  at: timestamp.nullish(),
});
export type FactSource = z.output<typeof factSource>;

export const citation = z.strictObject({
  fact_id: z.string().min(1).max(120),
  statement: z.string().max(4000),
  source: factSource.nullable(),
});
export type Citation = z.output<typeof citation>;

/** What an engine answers: every claim cites a fact; without a citation the confidence is 0. */
export const answerContent = z.strictObject({
  answer: text(8000),
  intent: z.enum(['count', 'list', 'yes_no', 'when', 'who', 'describe', 'unknown']),
  confidence: z.number().min(0).max(1),
  citations: z.array(citation).max(200),
  data: z.record(z.string(), z.unknown()).optional(),
  follow_ups: z.array(text(300)).max(10),
});
export type AnswerContent = z.output<typeof answerContent>;

export const queryAnswer = z.object({ ...answerContent.shape, engine }).meta({
  id: 'TwinAnswer',
  example: {
    answer: '3 administrators have no second factor.',
    intent: 'count',
    confidence: 0.9,
    citations: [
      {
        fact_id: EXAMPLE_ID,
        statement: '3 administrators have no second factor.',
        source: { kind: 'connector', ref: 'idp-a', at: EXAMPLE_TIME },
      },
    ],
    data: { count: 3 },
    engine: { kind: 'rules', degraded: false },
    follow_ups: ['Which administrators are they?'],
  },
});
export type QueryAnswer = z.output<typeof queryAnswer>;
