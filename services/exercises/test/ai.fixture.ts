import { randomUUID } from 'node:crypto';
import { DEFAULT_SETTINGS, type SettingsFacts, settingsUpdated } from '@muster/contracts';
import { DEMO_ORGANIZATION, keyRing, seal, settingBinding, settingsOf } from '@muster/service-kit';
import { eventually, publishEvent, type TestService } from '@muster/testing';

const ORG = DEMO_ORGANIZATION.id;
export const MODEL_KEY = 'the-key-of-the-model';
let version = 0;

/** A context of the demo organization, for looking at what the service has stored. */
export function insideOf(service: TestService) {
  return service.forOrganization(ORG);
}

/** Sets the demo organization's AI as identity would, with its API key sealed under `key`; what is left out is the default. */
export async function setAi(
  service: TestService,
  ai: Partial<Omit<SettingsFacts['ai'], 'api_key'>>,
  key = service.env.KEY_ENCRYPTION_KEY ?? '',
): Promise<void> {
  const ring = keyRing(key);
  const api_key = seal(ring, settingBinding(ORG, 'ai.api_key'), MODEL_KEY);
  version += 1;
  const data = { ...DEFAULT_SETTINGS, ai: { ...DEFAULT_SETTINGS.ai, ...ai, api_key } };
  const marked = { ...data, organization: { ...data.organization, name: `Clinic ${randomUUID()}` } };
  await publishEvent(service.env.AMQP_URL ?? '', settingsUpdated, {
    org: ORG,
    subject: ORG,
    seq: version,
    data: settingsUpdated.data.parse(marked),
  });
  await eventually(async () => {
    const known = await settingsOf(insideOf(service));
    if (known.organization.name !== marked.organization.name)
      throw new Error('the settings have not arrived');
  });
}
