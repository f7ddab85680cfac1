import { z } from 'zod';
import { engine } from '../../core/engine.ts';
import { EXAMPLE_ID, EXAMPLE_TIME, id, scenarioFilename, timestamp } from '../../core/primitives.ts';
import { scenarioExample } from '../../exercises/examples.ts';
import { AUDIENCES, DIFFICULTIES, scenarioContent } from '../../exercises/scenarios/scenario.schemas.ts';

/** What the scenario should be like; what is left out follows from the item. */
export const scenarioWish = z
  .strictObject({
    difficulty: z.enum(DIFFICULTIES),
    audience: z
      .array(z.enum(AUDIENCES))
      .min(1)
      .max(AUDIENCES.length)
      .refine((named) => new Set(named).size === named.length, 'name each audience once'),
    duration_minutes: z.int().min(15).max(480),
  })
  .partial()
  .default({})
  .meta({ id: 'ScenarioWish', example: { difficulty: 'advanced', duration_minutes: 120 } });
export type ScenarioWish = z.output<typeof scenarioWish>;

/** Written here; taken into the library of scenarios. */
export const DRAFT_STATUSES = ['drafted', 'stored'] as const;

const { filename, ...content } = scenarioExample;
export const draftExample = {
  id: EXAMPLE_ID,
  item_id: EXAMPLE_ID,
  status: 'drafted',
  engine: { kind: 'rules', degraded: false },
  fitted: true,
  scenario: scenarioContent.extend({ filename: scenarioFilename }).parse({ ...content, filename }),
  created_by: 'Head of IT',
  created_at: EXAMPLE_TIME,
  stored_at: null,
} as const;

/** A scenario drawn from an item, under the name by which the library knows it. */
export const scenarioDraft = z
  .object({
    id,
    item_id: id,
    status: z.enum(DRAFT_STATUSES),
    engine,
    /** Whether it was fitted to the organization's profile; else it is neutral. */
    fitted: z.boolean(),
    scenario: scenarioContent.extend({ filename: scenarioFilename, source: z.literal('intel') }),
    created_by: z.string(),
    created_at: timestamp,
    stored_at: timestamp.nullable(),
  })
  .meta({
    id: 'ScenarioDraft',
    example: { ...draftExample, scenario: { ...draftExample.scenario, source: 'intel' } },
  });
export type ScenarioDraft = z.output<typeof scenarioDraft>;
