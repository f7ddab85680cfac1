import { z } from 'zod';
import { EXAMPLE_TIME, timestamp } from '../../core/primitives.ts';
import { capability } from '../scenarios/scenario.schemas.ts';

export const INTERVALS = ['week', 'month', 'quarter'] as const;
export type Interval = (typeof INTERVALS)[number];

const mean = z.number().nullable();

/** Every period of the window, oldest first; one in which nothing was scored has nulls. */
export const trends = z
  .object({
    interval: z.enum(INTERVALS),
    points: z.array(
      z.object({
        period_start: z.iso.date(),
        sessions: z.int(),
        overall: mean,
        maturity_level: z.int().nullable(),
        by_capability: z.array(z.object({ capability, score: z.number(), sessions: z.int() })),
      }),
    ),
    /** Points of score by which a period is better than the one before, by least squares; null for fewer than two. */
    slope_per_period: mean,
    /** The days of the first and the last scored session in the window. */
    first_at: timestamp.nullable(),
    last_at: timestamp.nullable(),
  })
  .meta({
    id: 'Trends',
    example: {
      interval: 'month',
      points: [
        {
          period_start: '2026-03-01',
          sessions: 2,
          overall: 71.5,
          maturity_level: 3,
          by_capability: [{ capability: 'containment', score: 71.5, sessions: 2 }],
        },
      ],
      slope_per_period: null,
      first_at: EXAMPLE_TIME,
      last_at: EXAMPLE_TIME,
    },
  });
export type Trends = z.output<typeof trends>;
