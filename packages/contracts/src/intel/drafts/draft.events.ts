import { z } from 'zod';
import { defineEvent } from '../../core/event.ts';
import { id, scenarioFilename } from '../../core/primitives.ts';
import { scenarioContent } from '../../exercises/scenarios/scenario.schemas.ts';
import { draftExample } from './draft.schemas.ts';

const { filename, ...scenario } = draftExample.scenario;

export const intelScenarioDrafted = defineEvent({
  type: 'intel.scenario.drafted.v1',
  source: 'intel',
  summary: 'A scenario was written from a piece of threat intelligence; the library takes it.',
  aggregate: 'scenario',
  data: z.object({
    draft_id: id,
    item_id: id,
    filename: scenarioFilename,
    scenario: scenarioContent,
    source: z.literal('intel'),
    created_by: z.string(),
  }),
  example: {
    draft_id: draftExample.id,
    item_id: draftExample.item_id,
    filename,
    scenario,
    source: 'intel',
    created_by: draftExample.created_by,
  },
});
