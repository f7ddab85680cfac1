import { z } from 'zod';
import { engine } from '../../core/engine.ts';
import { defineEvent } from '../../core/event.ts';
import { id, scenarioFilename, technique, timestamp } from '../../core/primitives.ts';
import { improvement } from '../evaluations/evaluation.schemas.ts';
import {
  scoresExample,
  sessionSummaryExample,
  storedScenarioExample,
  storedSessionExample,
} from '../examples.ts';
import { EXERCISED } from '../playbooks/playbook.schemas.ts';
import { CATEGORIES, capability, control, DIFFICULTIES, SOURCES } from '../scenarios/scenario.schemas.ts';
import { capabilityScore, gap, rating as ratingSchema, scores } from '../scores/scores.schemas.ts';
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

export const scenarioPublished = defineEvent({
  type: 'exercises.scenario.published.v1',
  source: 'exercises',
  summary: 'A scenario was added to the library.',
  aggregate: 'scenario',
  data: z.object({
    filename: scenarioFilename,
    title: z.string(),
    category: z.enum(CATEGORIES),
    difficulty: z.enum(DIFFICULTIES),
    industries: z.array(z.string()),
    techniques: z.array(technique),
    capabilities: z.array(capability),
    controls: z.array(control),
    source: z.enum(SOURCES),
    content_hash: z.string(),
  }),
  example: {
    filename: scenario,
    title: scenario_title,
    category: 'ransomware',
    difficulty: 'introductory',
    industries: ['healthcare'],
    techniques: ['T1486'],
    capabilities: ['containment'],
    controls: [{ framework: 'nist-csf-2.0', control: 'RS.MI-01' }],
    source: 'upload',
    content_hash: storedScenarioExample.content_hash,
  },
});

export const scenarioRemoved = defineEvent({
  type: 'exercises.scenario.removed.v1',
  source: 'exercises',
  summary: 'A scenario was taken out of the library.',
  aggregate: 'scenario',
  data: z.object({ filename: scenarioFilename }),
  example: { filename: scenario },
});

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

export const sessionEvaluated = defineEvent({
  type: 'exercises.session.evaluated.v1',
  source: 'exercises',
  summary: 'A completed session was evaluated, for the first time or again; `seq` counts its evaluations.',
  aggregate: 'session',
  data: z.object({
    session_id: id,
    scenario: scenarioFilename,
    engine,
    objective_ratings: z.array(z.object({ objective_id: z.string(), rating: ratingSchema.nullable() })),
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

export const replayRequested = defineEvent({
  type: 'exercises.replay.requested.v1',
  source: 'exercises',
  summary:
    'A read model is rebuilt: owners of these types emit their current state again as ordinary events.',
  aggregate: 'replay',
  data: z.object({ types: z.array(z.string()).min(1) }),
  example: { types: ['identity.member.changed.v1'] },
});
