import { type SettingsFacts, settingsUpdated } from '@muster/contracts';
import {
  AppError,
  type Ctx,
  isDuplicateKey,
  openSetting,
  type SealedSecret,
  sealSetting,
} from '@muster/service-kit';
import { config } from '../config.ts';
import { organizations } from '../organizations/organization.model.ts';
import { type CurrentSettings, type SettingsDoc, settingsDocs } from './settings.model.ts';
import { effective, type Overrides, type SettingsValues } from './settings.rules.ts';

/** The setting that holds the key of the AI provider, as its seal names it. */
export const API_KEY = 'ai.api_key';

/** The settings of the context's organization as they hold. */
export async function readSettings(ctx: Ctx): Promise<CurrentSettings> {
  const { values, api_key, version, updated_at } = await stored(ctx);
  return { ...values, ai: { ...values.ai, api_key }, version, updated_at };
}

/** Tells the other services what the settings are. Needs a transaction. */
export async function announceSettings(ctx: Ctx): Promise<void> {
  const { version, facts } = await settingsFactsOf(ctx);
  await ctx.emit(settingsUpdated, { subject: ctx.org, seq: version, data: facts });
}

/** The settings as the other services keep them, with their version. */
export async function settingsFactsOf(ctx: Ctx): Promise<{ version: number; facts: SettingsFacts }> {
  const { version, updated_at: _at, ...facts } = await readSettings(ctx);
  return { version, facts };
}

/**
 * Seals the organization's secrets anew with the newest key-encryption key, and tells the others, who keep copies.
 * Needs a transaction. Answers whether there was anything to do.
 */
export async function resealSettings(ctx: Ctx): Promise<boolean> {
  const { set, api_key, version } = await stored(ctx);
  const [newest] = config(ctx).KEY_ENCRYPTION_KEY.keys();
  if (api_key === null || api_key.key_id === newest) return false;
  const secret = openSetting(ctx, API_KEY, api_key);
  await write(ctx, version, { set, api_key: sealSetting(ctx, API_KEY, secret) });
  await announceSettings(ctx);
  return true;
}

/** Gives the settings another version where what they show has changed by itself. Needs a transaction. */
export async function renewSettings(ctx: Ctx): Promise<void> {
  const { set, api_key, version } = await stored(ctx);
  await write(ctx, version, { set, api_key });
  await announceSettings(ctx);
}

/** What is stored, and what it comes to. */
export interface StoredSettings {
  set: Overrides;
  values: SettingsValues;
  api_key: SealedSecret | null;
  version: number;
  updated_at: Date | null;
}

/** An organization's settings as they are stored. Raises `not-found` where the organization is gone. */
export async function stored(ctx: Ctx): Promise<StoredSettings> {
  const organization = await organizations(ctx).findOne({ _id: ctx.org });
  if (!organization) throw new AppError('not-found', 'There is no such organization any more.');
  const doc = await settingsDocs(ctx).findOne({ _id: ctx.org });
  const { values: set = {}, api_key = null, version = 0, updated_at = null } = doc ?? {};
  return { set, values: effective(organization.name, set), api_key, version, updated_at };
}

/** Stores the next version. Needs a transaction. Raises `conflict` where somebody else was first. */
export async function write(
  ctx: Ctx,
  version: number,
  { set, api_key }: { set: Overrides; api_key: SealedSecret | null },
): Promise<void> {
  const next = { version: version + 1, updated_at: new Date(), values: set, api_key };
  const replace = () => settingsDocs(ctx).updateOne({ _id: ctx.org, version }, { $set: next });
  if (version === 0 ? await addFirst(ctx, next) : await replace()) return;
  throw new AppError('conflict', 'Somebody else changed the settings just now: read them and try again.');
}

/** False when somebody else was first. */
async function addFirst(ctx: Ctx, first: Omit<SettingsDoc, '_id' | 'org_id'>): Promise<boolean> {
  try {
    await settingsDocs(ctx).insert({ _id: ctx.org, ...first });
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}
