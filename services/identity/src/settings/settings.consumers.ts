import { replayRequested, settingsUpdated } from '@muster/contracts';
import { reaction } from '@muster/service-kit';
import { announceSettings } from './settings.service.ts';

/** A service that has no copy of the settings asks for them. */
export const settingsReactions = {
  replayRequested: reaction(
    replayRequested,
    async (ctx, { data }) => {
      if (data.types.includes(settingsUpdated.type)) await announceSettings(ctx);
    },
    { name: 'settings.replay' },
  ),
};
