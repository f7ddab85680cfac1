import { z } from 'zod';
import { engine } from '../../core/engine.ts';
import { defineEvent } from '../../core/event.ts';
import { id, scenarioFilename } from '../../core/primitives.ts';
import { sessionSummaryExample } from '../examples.ts';
import { EXERCISED } from './playbook.schemas.ts';

const { id: session_id, scenario, scenario_title } = sessionSummaryExample;

export const playbookGenerated = defineEvent({
  type: 'exercises.playbook.generated.v1',
  source: 'exercises',
  summary: 'A playbook was generated from a session, as its first or a further version.',
  aggregate: 'playbook',
  data: z.object({
    session_id: id,
    scenario: scenarioFilename,
    title: z.string(),
    version: z.int().min(1),
    engine,
    steps: z.record(z.enum(EXERCISED), z.int()).meta({ description: 'how many, by what was exercised' }),
  }),
  example: {
    session_id,
    scenario,
    title: `Playbook: ${scenario_title}`,
    version: 1,
    engine: { kind: 'rules', degraded: false },
    steps: { performed: 9, late: 2, missed: 4, not_exercised: 6 },
  },
});
