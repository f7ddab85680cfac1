import type { SettingsTest } from '@muster/contracts';
import { collection, type RowOf, repository, required } from '@muster/service-kit';

/** How a try of the settings went. */
export const settingsTestCollection = collection({
  name: 'settings_tests',
  fields: {
    target: required<SettingsTest['target']>(String),
    ok: required(Boolean),
    latency_ms: required(Number),
    detail: required(String),
    at: required(Date),
    keep_until: required(Date),
  },
  indexes: [[{ keep_until: 1 }, { expireAfterSeconds: 0 }]],
});
export type SettingsTestDoc = RowOf<typeof settingsTestCollection>;

/** How a try went, in a sentence that never holds a secret. */
export type Outcome = Pick<SettingsTestDoc, 'ok' | 'detail'>;

export const settingsTests = repository(settingsTestCollection);

export function toTest({ _id, target, ok, latency_ms, detail, at }: SettingsTestDoc): SettingsTest {
  return { id: _id, target, ok, latency_ms, detail, at: at.toISOString() };
}
