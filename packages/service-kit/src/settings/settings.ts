import { DEFAULT_SETTINGS, type SettingsFacts, settingsFacts, settingsUpdated } from '@muster/contracts';
import { isNewer } from '@muster/messaging';
import type { Ctx } from '../context.ts';
import { collection, Mixed, type Stored } from '../mongo/model.ts';
import { repository } from '../mongo/repository.ts';
import { type Reaction, reaction } from '../reaction.ts';

/** A service's copy of an organization's settings; `_id` is the organization's. */
interface SettingsRow extends Stored {
  version: number;
  facts: SettingsFacts;
}

export const settingsCopies = collection<SettingsRow>({
  name: 'organization_settings',
  fields: { version: { type: Number, required: true }, facts: { type: Mixed, required: true } },
  indexes: [],
});

export const settingsRows = repository(settingsCopies);

/** Stores an organization's settings, unless newer ones are known. */
export const settingsReaction: Reaction = reaction(
  settingsUpdated,
  async (ctx, event) => {
    const _id = ctx.org;
    const known = await settingsRows(ctx).findOne({ _id }, { projection: { version: 1 } });
    if (!isNewer(event, known?.version)) return;
    const { seq: version, data: facts } = event;
    await settingsRows(ctx).updateOne({ _id }, { $set: { version, facts } }, { upsert: true });
  },
  { name: 'settings.updated' },
);

const DEFAULTS = settingsFacts.parse({
  ...DEFAULT_SETTINGS,
  ai: { ...DEFAULT_SETTINGS.ai, api_key: null },
});

/** The organization's settings as this service knows them, the defaults while nothing was set. Secrets are sealed. */
export async function settingsOf(ctx: Pick<Ctx, 'org' | 'store'>): Promise<SettingsFacts> {
  const row = await settingsRows(ctx).findOne({ _id: ctx.org });
  return row?.facts ?? DEFAULTS;
}
