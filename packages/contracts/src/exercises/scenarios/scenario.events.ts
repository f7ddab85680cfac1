import { z } from 'zod';
import { defineEvent } from '../../core/event.ts';
import { scenarioFilename, technique } from '../../core/primitives.ts';
import { sessionSummaryExample, storedScenarioExample } from '../examples.ts';
import { CATEGORIES, capability, control, DIFFICULTIES, SOURCES } from './scenario.schemas.ts';

const { scenario, scenario_title } = sessionSummaryExample;

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
