import { z } from 'zod';
import { defineEvent } from '../../core/event.ts';
import { id, scenarioFilename, technique, timestamp } from '../../core/primitives.ts';
import { scoresExample, sessionSummaryExample, storedSessionExample } from '../examples.ts';
import { capabilityScore, gap, scores } from '../scores/scores.schemas.ts';
import { participant } from './session.schemas.ts';

const sessionFacts = {
  session_id: id,
  scenario: scenarioFilename,
  scenario_title: z.string(),
  title: z.string(),
  started_at: timestamp,
  ended_at: timestamp.nullable(),
};
const { id: session_id, scenario, scenario_title, title, started_at, ended_at } = sessionSummaryExample;
const sessionFactsExample = { session_id, scenario, scenario_title, title, started_at, ended_at };
const { overall, rating, maturity_level, objectives, capabilities, gaps } = scoresExample;

export const sessionSaved = defineEvent({
  type: 'exercises.session.saved.v1',
  source: 'exercises',
  summary: 'A session in progress was opened or changed.',
  aggregate: 'session',
  data: z.object(sessionFacts),
  example: { ...sessionFactsExample, ended_at: null },
});

export const sessionCompleted = defineEvent({
  type: 'exercises.session.completed.v1',
  source: 'exercises',
  summary: 'A session ended and was scored.',
  aggregate: 'session',
  data: z.object({
    ...sessionFacts,
    ended_at: timestamp,
    techniques: z.array(technique),
    participants: z.array(participant),
    scores: scores.pick({ overall: true, rating: true, maturity_level: true, objectives: true }).extend({
      capabilities: z.array(capabilityScore),
      gaps: z.array(gap),
    }),
  }),
  example: {
    ...sessionFactsExample,
    techniques: ['T1486'],
    participants: storedSessionExample.participants,
    scores: { overall, rating, maturity_level, objectives, capabilities, gaps },
  },
});
