import type { SettingsTest } from '@muster/contracts';
import { collection, repository, type Stored } from '@muster/service-kit';

/** How a try of the settings went. */
export interface SettingsTestDoc extends Stored {
  target: SettingsTest['target'];
  ok: boolean;
  latency_ms: number;
  detail: string;
  at: Date;
  keep_until: Date;
}

export const settingsTestCollection = collection<SettingsTestDoc>({
  name: 'settings_tests',
  fields: {
    target: { type: String, required: true },
    ok: { type: Boolean, required: true },
    latency_ms: { type: Number, required: true },
    detail: { type: String, required: true },
    at: { type: Date, required: true },
    keep_until: { type: Date, required: true },
  },
  indexes: [[{ keep_until: 1 }, { expireAfterSeconds: 0 }]],
});

export const settingsTests = repository(settingsTestCollection);

export function toTest({ _id, target, ok, latency_ms, detail, at }: SettingsTestDoc): SettingsTest {
  return { id: _id, target, ok, latency_ms, detail, at: at.toISOString() };
}
