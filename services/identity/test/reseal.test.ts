import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditApi, type EventData, settingsApi, settingsUpdated } from '@muster/contracts';
import { openSetting, type RunningService, SHARED_ORG } from '@muster/service-kit';
import { eventually } from '@muster/testing';
import { publishedKeys } from '../src/keys/key.service.ts';
import { resealAll } from '../src/keys/reseal.service.ts';
import { readSettings, resealSettings } from '../src/settings/settings.service.ts';
import {
  emitted,
  type Identity,
  inside,
  newOwner,
  type Person,
  sessionOf,
  startIdentity,
  startReplica,
} from './identity.fixture.ts';

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const [NEW, OLD, OTHER] = [key('new'), key('old'), key('other')];
let service: Identity;

beforeAll(async () => {
  service = await startIdentity({ KEY_ENCRYPTION_KEY: `${OLD},${NEW},${OTHER}` });
});
afterAll(async () => {
  await service?.stop();
});

/** Runs some work in a replica that has these key-encryption keys. */
async function withKeys<T>(
  KEY_ENCRYPTION_KEY: string,
  work: (replica: RunningService) => Promise<T>,
): Promise<T> {
  const replica = await startReplica(service, { KEY_ENCRYPTION_KEY });
  try {
    return await work(replica);
  } finally {
    await replica.stop();
  }
}
const reseal = (KEY_ENCRYPTION_KEY: string) =>
  withKeys(KEY_ENCRYPTION_KEY, (replica) => resealAll(inside(replica, SHARED_ORG)));

/** An organization with a key for its AI. */
async function withSecret(secret: string): Promise<Person> {
  const owner = await newOwner(service);
  const ai = { provider: 'anthropic', model: 'm', api_key: secret } as const;
  const client = service.client(settingsApi, await sessionOf(service, owner));
  await client.updateSettings({ body: { ai } });
  return owner;
}
const sealedOf = async ({ org }: Person) => (await readSettings(inside(service, org))).ai.api_key;

test('everything is under the newest key afterwards, also what other services keep, and a repeat does nothing', async () => {
  const [one, other] = [await withSecret('first-secret'), await withSecret('second-secret')];
  const without = await newOwner(service);
  const before = await readSettings(inside(service, one.org));

  const first = await reseal(`${NEW},${OLD}`);
  expect(first).toMatchObject({ signingKeys: 2, settings: 2 });
  expect(first.organizations).toBeGreaterThanOrEqual(3);
  expect(await reseal(`${NEW},${OLD}`)).toEqual({ ...first, signingKeys: 0, settings: 0 });

  for (const { private_key } of await publishedKeys(inside(service, SHARED_ORG)))
    expect(private_key?.key_id).toBe('new');
  const events = await emitted(service, settingsUpdated.type, one.org);
  const told = events.at(-1)?.data as EventData<typeof settingsUpdated>;
  expect(events.at(-1)?.seq).toBe(before.version + 1);
  expect(told.ai.api_key).toEqual(await sealedOf(one));
  await withKeys(NEW, async (replica) => {
    const ctx = inside(replica, other.org);
    const { api_key } = (await readSettings(ctx)).ai;
    expect(api_key && openSetting(ctx, 'ai.api_key', api_key)).toBe('second-secret');
  });
  expect(await sealedOf(without)).toBeNull();
});

test('a run that ended amid the organizations loses nothing, and the next one finishes it', async () => {
  const [early, late] = [await withSecret('early'), await withSecret('late')];
  const keys = async () => [(await sealedOf(early))?.key_id, (await sealedOf(late))?.key_id];
  await withKeys(`${OTHER},${NEW},${OLD}`, (replica) =>
    inside(replica, late.org).inTransaction(resealSettings),
  );
  expect(await keys()).toEqual(['old', 'other']);

  await expect(reseal(`${NEW},${OLD}`)).rejects.toThrow('The key-encryption key other is not in');
  expect(await keys()).toEqual(['new', 'other']);

  expect(await reseal(`${NEW},${OTHER},${OLD}`)).toMatchObject({ signingKeys: 0, settings: 1 });
  expect(await keys()).toEqual(['new', 'new']);
});

test('stands in the audit log, without the secret', async () => {
  const owner = await withSecret('never-to-be-seen');
  await reseal(`${OTHER},${NEW},${OLD}`);
  const audit = service.client(auditApi, await sessionOf(service, owner));
  await eventually(async () => {
    const { items } = (await audit.listAudit({ query: { action: 'settings.resealed' } })).body;
    expect(items).toEqual([
      expect.objectContaining({
        actor: { id: 'identity', name: 'identity', via: 'system' },
        after: { key_id: 'other' },
      }),
    ]);
    expect(JSON.stringify(items)).not.toContain('never-to-be-seen');
  });
});
