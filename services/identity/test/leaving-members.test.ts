import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accessChanged, identityApi, memberChanged, membersApi, tokenRevoked } from '@muster/contracts';
import { DEMO_OWNER, type RunningService } from '@muster/service-kit';
import { eventually, problemOf } from '@muster/testing';
import { members } from '../src/members/member.model.ts';
import {
  emitted,
  type Identity,
  inside,
  memberIdOf,
  newMember,
  newOwner,
  type Person,
  sessionOf,
  startIdentity,
  startReplica,
} from './identity.fixture.ts';

let service: Identity;
let replica: RunningService;

beforeAll(async () => {
  service = await startIdentity();
  replica = await startReplica(service);
});
afterAll(async () => {
  await replica?.stop();
  await service?.stop();
});

const as = async (person: Person) => service.client(membersApi, await sessionOf(service, person));

describe('the last owner', () => {
  test.each([{ role: 'admin' }, { status: 'suspended' }] as const)('is not changed to %j', async (body) => {
    const owner = await newOwner(service);
    const second = await newMember(service, owner.org, 'owner');
    const client = await as(owner);
    // One who is suspended owns nothing meanwhile.
    await client.updateMember({
      params: { id: await memberIdOf(service, second) },
      body: { status: 'suspended' },
    });
    const own = { id: await memberIdOf(service, owner) };
    const refused = await problemOf(client.updateMember({ params: own, body }));
    expect(refused.status).toBe(409);
    if ('role' in body) expect(refused.problem.type).toBe('urn:muster:problem:last-owner');
  });

  test('is not removed; with another one they may leave', async () => {
    const owner = await newOwner(service);
    const client = await as(owner);
    const params = { id: await memberIdOf(service, owner) };
    expect((await problemOf(client.removeMember({ params }))).problem.type).toMatch(/last-owner$/);
    await newMember(service, owner.org, 'owner');
    expect((await client.removeMember({ params })).status).toBe(204);
  });

  test.each([1, 2, 3])('of two who step down at once, on two replicas, one stays (%i)', async () => {
    const one = await newOwner(service);
    const other = await newMember(service, one.org, 'owner');
    const stepDown = async (url: string, person: Person) => {
      const answer = await fetch(`${url}/api/members/${await memberIdOf(service, person)}/`, {
        method: 'PATCH',
        headers: {
          authorization: `Bearer ${await sessionOf(service, person)}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ role: 'admin' }),
      });
      return answer.status;
    };
    const statuses = await Promise.all([stepDown(service.url, one), stepDown(replica.url, other)]);
    expect(statuses.toSorted()).toEqual([200, 409]);
    const owners = { role: 'owner' as const, status: 'active' as const };
    expect(await members(inside(service, one.org)).count(owners)).toBe(1);
  });
});

describe('someone who is removed', () => {
  test('is gone from the list, and so is all that lets them in', async () => {
    const owner = await newOwner(service);
    const viewer = await newMember(service, owner.org, 'viewer');
    const session = await sessionOf(service, viewer);
    const { token, id: jti } = (
      await service.client(identityApi, session).createToken({ body: { name: 'n' } })
    ).body;
    const id = await memberIdOf(service, viewer);
    const client = await as(owner);
    expect((await client.removeMember({ params: { id } })).status).toBe(204);

    expect((await problemOf(client.getMember({ params: { id } }))).status).toBe(404);
    expect((await problemOf(client.removeMember({ params: { id } }))).status).toBe(404);
    expect((await client.listMembers()).body.total).toBe(1);
    expect((await emitted(service, memberChanged.type, id)).at(-1)).toMatchObject({
      seq: 2,
      data: { status: 'removed' },
    });
    expect((await emitted(service, accessChanged.type, viewer.id)).at(-1)).toMatchObject({
      seq: 2,
      data: { role: null },
    });
    expect(await emitted(service, tokenRevoked.type, jti)).toHaveLength(1);
    await eventually(async () => {
      for (const dead of [session, token])
        expect((await problemOf(service.client(identityApi, dead).getMe())).status).toBe(401);
    }, 5_000);
  });
});

test('someone who is suspended is out within five seconds, and in again when they are not any more', async () => {
  const owner = await newOwner(service);
  const viewer = await newMember(service, owner.org, 'viewer');
  const me = service.client(identityApi, await sessionOf(service, viewer));
  expect((await me.getMe()).body.role).toBe('viewer');
  const client = await as(owner);
  const params = { id: await memberIdOf(service, viewer) };
  await client.updateMember({ params, body: { status: 'suspended' } });
  await eventually(async () => expect((await problemOf(me.getMe())).status).toBe(401), 5_000);
  await client.updateMember({ params, body: { status: 'active' } });
  await eventually(async () => expect((await me.getMe()).status).toBe(200), 5_000);
});

test('nobody suspends themselves', async () => {
  const owner = await newOwner(service);
  const admin = await newMember(service, owner.org, 'admin');
  const change = (await as(admin)).updateMember({
    params: { id: await memberIdOf(service, admin) },
    body: { status: 'suspended' },
  });
  expect((await problemOf(change)).problem.detail).toMatch(/cannot suspend yourself/);
});

test('the demo owner is who requests without a token act as', async () => {
  const { items } = (await service.client(membersApi).listMembers()).body;
  expect(items).toMatchObject([{ email: DEMO_OWNER.email, role: 'owner' }]);
});
