import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { identityApi, settingsApi } from '@muster/contracts';
import { standingSource } from '@muster/service-kit';
import { problemOf } from '@muster/testing';
import { v7 } from 'uuid';
import { members } from '../src/members/member.model.ts';
import {
  type Identity,
  inside,
  newMember,
  newOwner,
  type Person,
  sessionOf,
  startIdentity,
} from './identity.fixture.ts';

let service: Identity;
beforeAll(async () => {
  service = await startIdentity();
});
afterAll(async () => {
  await service?.stop();
});

const actorOf = ({ id, org }: Pick<Person, 'id' | 'org'>) => ({ ...inside(service, org).actor, id, org });
const ask = (person: Pick<Person, 'id' | 'org'>, jti: string = v7()) =>
  standingSource(service.runtime.config)(actorOf(person), jti);

test('a service is told what somebody may do, the settings, and whether their token was revoked', async () => {
  const owner = await newOwner(service);
  const viewer = await newMember(service, owner.org, 'viewer');
  const session = await sessionOf(service, owner);
  const client = service.client(identityApi, session);
  await service.client(settingsApi, session).updateSettings({ body: { security: { session_hours: 3 } } });
  await client.updateIp({ body: { ip: '192.0.2.10' } });
  const { id } = (await client.createToken({ body: { name: 'n' } })).body;
  expect(await ask(owner, id)).toMatchObject({
    access: { version: 2, role: 'owner', address: '192.0.2.10' },
    settings: { version: 1, facts: { security: { session_hours: 3 } } },
    revoked: false,
  });
  await client.revokeToken({ params: { id } });
  expect((await ask(owner, id)).revoked).toBe(true);
  expect((await ask(viewer, id)).access).toMatchObject({ role: 'viewer', version: 1 });
});

test('who is suspended, of another organization or nobody at all may do nothing', async () => {
  const [one, other] = [await newOwner(service), await newOwner(service)];
  await members(inside(service, one.org)).updateOne({ user_id: one.id }, { $set: { status: 'suspended' } });
  const strangers = [
    one,
    { id: other.id, org: one.org },
    { id: v7(), org: other.org },
    { id: v7(), org: v7() },
  ];
  for (const stranger of strangers) expect((await ask(stranger)).access.role).toBeNull();
});

test('only whoever holds the secret of the services is told', async () => {
  const { id: user_id, org } = await newOwner(service);
  const client = service.client(identityApi, await sessionOf(service, { id: user_id, org, role: 'owner' }));
  for (const proof of ['', 'x'.repeat(43), '%']) {
    const body = { org, user_id, jti: v7(), proof };
    expect((await problemOf(client.readStanding({ body }))).status).toBe(403);
  }
  const foreign = { ...service.runtime.config, SERVICE_SECRET: 'another secret, also thirty-two long' };
  const asked = standingSource(foreign)(actorOf({ id: user_id, org }), v7());
  await expect(asked).rejects.toMatchObject({ code: 'unavailable' });
});
