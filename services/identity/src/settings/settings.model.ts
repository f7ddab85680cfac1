import type { DomainClaim, Settings, SettingsFacts } from '@muster/contracts';
import {
  collection,
  Mixed,
  nullable,
  type RowOf,
  repository,
  required,
  type SealedSecret,
} from '@muster/service-kit';
import type { Overrides } from './settings.rules.ts';

/** What an organization has set; `_id` is the organization's. What it left alone is not here: defaults may change. */
export const settingsCollection = collection({
  name: 'settings',
  fields: {
    version: required(Number),
    updated_at: required(Date),
    values: required<Overrides>(Mixed),
    /** Sealed; see service-kit, `settings/secrets.ts`. */
    api_key: nullable<SealedSecret>(Mixed),
  },
  indexes: [],
});
export type SettingsDoc = RowOf<typeof settingsCollection>;

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
