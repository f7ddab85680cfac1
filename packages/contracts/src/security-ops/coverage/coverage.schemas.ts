import { z } from 'zod';
import { EXAMPLE_ID, EXAMPLE_TIME, technique, timestamp } from '../../core/primitives.ts';
import { LAYER_DOMAINS } from '../layers/layer.schemas.ts';
import { TECHNIQUE_RESULTS } from '../operations/operation.schemas.ts';

/**
 * Where an organization stands with a technique, by the strongest it has: `proved` in an operation that detected or
 * prevented it, `logged` or `missed` there, `talked_through` in an exercise only, else just `wanted` by intelligence,
 * or `seen` in its own events.
 */
export const COVERAGE_STATES = ['missed', 'wanted', 'seen', 'talked_through', 'logged', 'proved'] as const;
export type CoverageState = (typeof COVERAGE_STATES)[number];

/** How often, when last, and where that was: a session, an operation, an item of intelligence. */
const mark = z.object({ count: z.int().min(1), at: timestamp, ref: z.string(), title: z.string() });

export const techniqueCoverage = z
  .object({
    technique,
    name: z.string(),
    tactics: z.array(z.string()),
    domain: z.enum(LAYER_DOMAINS),
    state: z.enum(COVERAGE_STATES),
    /** How much it should be exercised or tested next, 0..100. */
    priority: z.int().min(0).max(100),
    explanation: z.string(),
    exercised: mark.nullable(),
    proved: mark.extend({ result: z.enum(TECHNIQUE_RESULTS) }).nullable(),
    seen: mark.pick({ count: true, at: true }).nullable(),
    wanted: mark.nullable(),
  })
  .meta({
    id: 'TechniqueCoverage',
    example: {
      technique: 'T1486',
      name: 'Data Encrypted for Impact',
      tactics: ['impact'],
      domain: 'enterprise',
      state: 'talked_through',
      priority: 42,
      explanation: 'Talked through in 1 exercise, last on 2026-03-01. Never tested in an operation.',
      exercised: { count: 1, at: EXAMPLE_TIME, ref: EXAMPLE_ID, title: 'Q1 exercise' },
      proved: null,
      seen: null,
      wanted: { count: 2, at: EXAMPLE_TIME, ref: EXAMPLE_ID, title: 'Ransomware against hospitals' },
    },
  });
export type TechniqueCoverage = z.output<typeof techniqueCoverage>;
export type CoverageMark = z.output<typeof mark>;

const exampleCounts = { missed: 0, wanted: 0, seen: 0, talked_through: 1, logged: 0, proved: 0 };

/** Every technique of which anything is known, the most pressing first. */
export const coverage = z
  .object({
    items: z.array(techniqueCoverage),
    total: z.int().min(0),
    by_state: z.record(z.enum(COVERAGE_STATES), z.int().min(0)),
    attack_version: z.string(),
  })
  .meta({
    id: 'Coverage',
    example: {
      items: [techniqueCoverage.meta()?.example],
      total: 1,
      by_state: exampleCounts,
      attack_version: '18.1',
    },
  });
export type Coverage = z.output<typeof coverage>;
