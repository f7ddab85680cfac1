import { DEFAULT_SETTINGS, type SettingsFacts, settingsFacts, settingsUpdated } from '@muster/contracts';
import { LRUCache } from 'lru-cache';
import type { Connection } from 'mongoose';
import type { Ctx } from '../context.ts';
import { Mixed, required } from '../mongo/fields.ts';
import { collection } from '../mongo/model.ts';
import { repository } from '../mongo/repository.ts';
import { reaction } from '../reaction.ts';

/** A service's copy of an organization's settings; `_id` is the organization's. */
export const settingsCopies = collection({
  name: 'organization_settings',
  fields: {
    version: required(Number),
    facts: required<SettingsFacts>(Mixed),
  },
  indexes: [],
});
export const settingsRows = repository(settingsCopies);

/** Stores an organization's settings, unless newer ones are known. */
export const settingsReaction = reaction(
  settingsUpdated,
  async (ctx, event) => {
    const _id = ctx.org;
    await settingsRows(ctx).keepNewer({ _id, version: event.seq, facts: event.data }, 'version');
  },
  { name: 'settings.updated' },
);

const DEFAULTS = settingsFacts.parse({
  ...DEFAULT_SETTINGS,
  ai: { ...DEFAULT_SETTINGS.ai, api_key: null },
});

const FRESH_MS = 1_000;
const MOST = 10_000;
/** By connection and organization, since commands that are given again and again would read the same row each time. */
const remembered = new WeakMap<Connection, LRUCache<string, SettingsFacts>>();

/**
 * The organization's settings as this service knows them, the defaults while nothing was set; up to a second old. Secrets
 * are sealed.
 */
export async function settingsOf(ctx: Pick<Ctx, 'org' | 'store'>): Promise<SettingsFacts> {
  const { connection } = ctx.store;
  const known = remembered.get(connection) ?? new LRUCache({ max: MOST, ttl: FRESH_MS });
  remembered.set(connection, known);
  const fresh = known.get(ctx.org);
  if (fresh) return fresh;
  const row = await settingsRows(ctx).findOne({ _id: ctx.org });
  const facts = row?.facts ?? DEFAULTS;
  known.set(ctx.org, facts);
  return facts;
}
