import type { DomainClaim, Settings, SettingsFacts } from '@muster/contracts';
import { collection, Mixed, repository, type SealedSecret, type Stored } from '@muster/service-kit';
import type { Overrides } from './settings.rules.ts';

/** What an organization has set; `_id` is the organization's. What it left alone is not here: defaults may change. */
export interface SettingsDoc extends Stored {
  version: number;
  updated_at: Date;
  values: Overrides;
  /** Sealed; see service-kit, `settings/secrets.ts`. */
  api_key: SealedSecret | null;
}

export const settingsCollection = collection<SettingsDoc>({
  name: 'settings',
  fields: {
    version: { type: Number, required: true },
    updated_at: { type: Date, required: true },
    values: { type: Mixed, required: true },
    api_key: { type: Mixed, default: null },
  },
  indexes: [],
});

export const settingsDocs = repository(settingsCollection);

/** An organization's settings as they hold: what it set, over the defaults. */
export type CurrentSettings = SettingsFacts & { version: number; updated_at: Date | null };

/**
 * The settings as the answer shows them, without secrets.
 * @param whole false for those who are not to see where notifications go
 */
export function toSettings(current: CurrentSettings, domains: DomainClaim[], whole: boolean): Settings {
  const { ai, security, notifications, updated_at, ...rest } = current;
  const { api_key, ...shown } = ai;
  return {
    ...rest,
    security: { ...security, domains },
    ai: { ...shown, api_key_set: api_key !== null },
    notifications: whole ? notifications : { ...notifications, webhook_url: null },
    updated_at: updated_at?.toISOString() ?? null,
  };
}
