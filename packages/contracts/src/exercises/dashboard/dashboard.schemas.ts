import { z } from 'zod';
import { timestamp } from '../../core/primitives.ts';
import { dashboardExample } from '../examples.ts';
import { capability } from '../scenarios/scenario.schemas.ts';
import { gap, rating } from '../scores/scores.schemas.ts';
import { sessionSummary } from '../sessions/session.schemas.ts';

const counts = z.object({
  scenarios: z.int(),
  sessions: z.int(),
  participants: z.int(),
  open_gaps: z.int(),
  facts: z.int(),
  connectors: z.int(),
  intel_items: z.int(),
  events_open: z.int(),
  operations: z.int(),
  members: z.int(),
  playbooks: z.int(),
});
export type DashboardCounts = z.output<typeof counts>;

export const dashboard = z
  .object({
    scores: z.object({
      /** Mean over the window's completed sessions; null where there are none. */
      overall: z.number().nullable(),
      rating: rating.nullable(),
      maturity_level: z.int().nullable(),
      by_capability: z.array(z.object({ capability, score: z.number(), sessions: z.int() })),
      /** Against the window of the same length before it. */
      change: z.number().nullable(),
    }),
    counts,
    trends: z.array(
      z.object({
        period: z.string(),
        sessions: z.int(),
        overall: z.number().nullable(),
        maturity_level: z.int().nullable(),
      }),
    ),
    recent_sessions: z.array(
      sessionSummary
        .pick({ id: true, scenario: true, scenario_title: true, title: true, ended_at: true })
        .extend({
          overall: z.number(),
          rating,
          maturity_level: z.int(),
        }),
    ),
    top_gaps: z.array(gap.extend({ session_id: z.string(), scenario: z.string() })),
    as_of: timestamp.nullable(),
  })
  .meta({ id: 'Dashboard', example: dashboardExample });
export type Dashboard = z.output<typeof dashboard>;
