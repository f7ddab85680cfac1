import { z } from 'zod';
import { engine } from '../../core/engine.ts';
import { defineEvent } from '../../core/event.ts';
import { id, scenarioFilename } from '../../core/primitives.ts';
import { sessionSummaryExample } from '../examples.ts';
import { rating } from '../scores/scores.schemas.ts';
import { improvement } from './evaluation.schemas.ts';

const { id: session_id, scenario } = sessionSummaryExample;

export const sessionEvaluated = defineEvent({
  type: 'exercises.session.evaluated.v1',
  source: 'exercises',
  summary: 'A completed session was evaluated, for the first time or again; `seq` counts its evaluations.',
  aggregate: 'session',
  data: z.object({
    session_id: id,
    scenario: scenarioFilename,
    engine,
    objective_ratings: z.array(z.object({ objective_id: z.string(), rating: rating.nullable() })),
    improvements: z.array(improvement),
  }),
  example: {
    session_id,
    scenario,
    engine: { kind: 'rules', degraded: false },
    objective_ratings: [{ objective_id: 'O1', rating: 'S' }],
    improvements: [
      {
        title: 'Write down when the backup jobs are stopped, and by whom',
        recommendation: 'Add a step to the ransomware plan.',
        priority: 'P4',
        element: 'planning',
        owner_role: 'incident_commander',
        due_in_days: 180,
        gap_ids: ['I1:A2'],
        controls: [{ framework: 'nist-csf-2.0', control: 'RS.MI-01' }],
      },
    ],
  },
});
