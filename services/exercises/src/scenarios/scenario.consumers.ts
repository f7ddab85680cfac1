import { intelScenarioDrafted } from '@muster/contracts';
import { reaction } from '@muster/service-kit';
import { takeDraft } from './draft.service.ts';

// Two drafts that want one name are taken one after the other.
const order = { order: 'organization' } as const;

/** What other services write comes into the library here. */
export const scenarioReactions = {
  intelScenarioDrafted: reaction(
    intelScenarioDrafted,
    async (ctx, { data: { draft_id: id, scenario: content, filename, source, created_by } }) => {
      await takeDraft(ctx, { id, filename, content, source, created_by });
    },
    order,
  ),
};
