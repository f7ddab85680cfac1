import { scenarioPublished } from '@muster/contracts';
import { reaction } from '@muster/service-kit';
import { draftStored } from './draft.service.ts';

/** What came into the library may be one of ours. */
export const draftReactions = {
  scenarioPublished: reaction(scenarioPublished, async (ctx, event) => {
    if (event.data.source === 'intel') await draftStored(ctx, event);
  }),
};
