import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { accessChanged, identityApi, settingsUpdated, tokenRevoked } from '@muster/contracts';
import { SHARED_ORG } from '@muster/service-kit';
import { introductions } from '../src/introductions/introduction.model.ts';
import { introduceServices } from '../src/introductions/introduction.service.ts';
import { emitted, type Identity, inside, newOwner, sessionOf, startIdentity } from './identity.fixture.ts';

let service: Identity;
beforeAll(async () => {
  service = await startIdentity();
});
afterAll(async () => {
  await service?.stop();
});

const introduce = () => introduceServices(inside(service, SHARED_ORG));

test('a start introduces the services that are there, and later starts nobody', async () => {
  expect(await introductions(inside(service, SHARED_ORG)).count({ _id: 'exercises' })).toBe(1);
  expect(await introduce()).toEqual([]);
});

test('a new service is told the settings, what people may do and which tokens are revoked, as it was told before', async () => {
  const owner = await newOwner(service);
  const client = service.client(identityApi, await sessionOf(service, owner));
  const { id } = (await client.createToken({ body: { name: 'leaked' } })).body;
  await client.revokeToken({ params: { id } });
  const told = async () =>
    await Promise.all([
      emitted(service, settingsUpdated.type, owner.org),
      emitted(service, accessChanged.type, owner.id),
      emitted(service, tokenRevoked.type, id),
    ]);
  const before = await told();
  expect(before.map((events) => events.length)).toEqual([1, 1, 1]);

  await introductions(inside(service, SHARED_ORG)).deleteOne({ _id: 'exercises' });
  expect(await introduce()).toEqual(['exercises']);

  for (const [first, again, ...more] of await told()) {
    expect([again?.seq, again?.data]).toEqual([first?.seq, first?.data]);
    expect(more).toEqual([]);
  }
  expect(await introduce()).toEqual([]);
});
