import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  accessChanged,
  identityApi,
  memberChanged,
  membersApi,
  ROLES,
  tokenRevoked,
} from '@muster/contracts';
import { DEMO_OWNER, type RunningService } from '@muster/service-kit';
import { eventually, problemOf } from '@muster/testing';
import { v7 } from 'uuid';
import { members } from '../src/members/member.model.ts';
import {
  emitted,
  type Identity,
  inside,
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

/** The id of the person's membership, which is what the API names. */
async function memberId(person: Person): Promise<string> {
  const found = await members(inside(service, person.org)).findOne({ user_id: person.id });
  if (!found) throw new Error('no such member');
  return found._id;
}

describe('reading', () => {
  test('the list is newest first, in pages, with who people are', async () => {
    const owner = await newOwner(service);
    const others = [
      await newMember(service, owner.org, 'viewer'),
      await newMember(service, owner.org, 'admin'),
    ];
    const client = await as(owner);
    const first = (await client.listMembers({ query: { limit: 2 } })).body;
    const rest = (await client.listMembers({ query: { limit: 2, cursor: first.next_cursor ?? '' } })).body;
    expect([first.total, rest.total, rest.next_cursor]).toEqual([3, 3, null]);
    const emails = [...first.items, ...rest.items].map((item) => item.email);
    expect(emails).toEqual([...others.toReversed(), owner].map(({ id }) => `${id}@example.org`));
    expect(first.items[0]).toMatchObject({
      name: 'A admin',
      role: 'admin',
      status: 'active',
      invited_by: null,
      last_seen_at: null,
    });
  });

  test('is filtered by role and status', async () => {
    const owner = await newOwner(service);
    const viewer = await newMember(service, owner.org, 'viewer');
    const client = await as(owner);
    await client.updateMember({ params: { id: await memberId(viewer) }, body: { status: 'suspended' } });
    const idsOf = async (query: object) =>
      (await client.listMembers({ query })).body.items.map(({ id }) => id);
    expect(await idsOf({ role: 'viewer' })).toEqual([await memberId(viewer)]);
    expect(await idsOf({ status: 'suspended', role: 'viewer' })).toEqual([await memberId(viewer)]);
    expect(await idsOf({ status: 'active' })).toEqual([await memberId(owner)]);
    expect(await idsOf({ status: 'invited' })).toEqual([]);
    expect((await problemOf(client.listMembers({ query: { status: 'removed' as never } }))).status).toBe(422);
  });

  test('one member carries its version as its tag', async () => {
    const owner = await newOwner(service);
    const { headers } = await (await as(owner)).getMember({ params: { id: await memberId(owner) } });
    expect(headers.get('etag')).toBe('"1"');
  });

  test('when somebody was last seen is told by the use of their tokens', async () => {
    const owner = await newOwner(service);
    const client = await as(owner);
    const asked = Date.now();
    await client.listMembers();
    await eventually(async () => {
      const { last_seen_at } = (await client.getMember({ params: { id: await memberId(owner) } })).body;
      expect(Date.parse(last_seen_at ?? '')).toBeGreaterThanOrEqual(asked - 1000);
    });
  });
});

describe('another organization’s member', () => {
  test.each(['getMember', 'updateMember', 'removeMember'] as const)('does not exist for %s', async (call) => {
    const [mine, theirs] = [await newOwner(service), await newOwner(service)];
    const client = await as(mine);
    const params = { id: await memberId(theirs) };
    const answer =
      call === 'updateMember'
        ? client.updateMember({ params, body: { name: 'X' } })
        : client[call]({ params });
    expect((await problemOf(answer)).status).toBe(404);
    expect((await (await as(theirs)).getMember({ params })).body.name).toBe('An owner');
  });
});

describe('changing', () => {
  test('is told to the others with the next version, and what it means for access', async () => {
    const owner = await newOwner(service);
    const viewer = await newMember(service, owner.org, 'viewer');
    const id = await memberId(viewer);
    const { body, headers } = await (await as(owner)).updateMember({
      params: { id },
      body: { role: 'facilitator', name: 'Somebody' },
    });
    expect(body).toMatchObject({ id, name: 'Somebody', role: 'facilitator', status: 'active' });
    expect(headers.get('etag')).toBe('"2"');
    const [, facts] = await emitted(service, memberChanged.type, id);
    expect(facts).toMatchObject({ seq: 2, data: { name: 'Somebody', role: 'facilitator' } });
    const [, access] = await emitted(service, accessChanged.type, viewer.id);
    expect(access).toMatchObject({
      seq: 2,
      data: { user_id: viewer.id, role: 'facilitator', address: null },
    });
  });

  test('nothing changes nothing', async () => {
    const owner = await newOwner(service);
    const id = await memberId(owner);
    const { headers } = await (await as(owner)).updateMember({ params: { id }, body: { role: 'owner' } });
    expect(headers.get('etag')).toBe('"1"');
    expect(await emitted(service, memberChanged.type, id)).toHaveLength(1);
  });

  test('honours If-Match', async () => {
    const owner = await newOwner(service);
    const id = await memberId(await newMember(service, owner.org, 'viewer'));
    const client = await as(owner);
    const change = (tag: string) =>
      client.updateMember(
        { params: { id }, body: { name: `After ${tag}` } },
        { headers: { 'If-Match': tag } },
      );
    expect((await change('"1"')).body.name).toBe('After "1"');
    expect((await problemOf(change('"1"'))).status).toBe(412);
    expect((await client.getMember({ params: { id } })).body.name).toBe('After "1"');
    const remove = client.removeMember({ params: { id } }, { headers: { 'If-Match': '"1"' } });
    expect((await problemOf(remove)).status).toBe(412);
  });

  test.each([
    {},
    { role: 'root' },
    { status: 'invited' },
    { status: 'removed' },
    { name: '' },
    { org_id: v7() },
    { email: 'other@example.org' },
    { version: 9 },
    { role: 'viewer', user_id: v7() },
    { $set: { role: 'owner' } },
    { role: { $ne: 'viewer' } },
    [],
    null,
  ])('refuses %j', async (body) => {
    const owner = await newOwner(service);
    const id = await memberId(await newMember(service, owner.org, 'member'));
    const client = await as(owner);
    const refused = await problemOf(client.updateMember({ params: { id }, body: body as never }));
    expect([400, 422]).toContain(refused.status);
    expect((await client.getMember({ params: { id } })).body.role).toBe('member');
  });
});

describe('who may', () => {
  test.each(['viewer', 'member', 'facilitator'] as const)('not a %s', async (role) => {
    const owner = await newOwner(service);
    const someone = await newMember(service, owner.org, role);
    const client = await as(someone);
    const params = { id: await memberId(someone) };
    expect((await problemOf(client.updateMember({ params, body: { role: 'owner' } }))).status).toBe(403);
    expect((await problemOf(client.removeMember({ params }))).status).toBe(403);
    expect((await client.getMember({ params })).status).toBe(200);
  });

  test('an admin manages others up to admin, but no owner, and makes none', async () => {
    const owner = await newOwner(service);
    const client = await as(await newMember(service, owner.org, 'admin'));
    const someone = await memberId(await newMember(service, owner.org, 'viewer'));
    for (const role of ROLES.filter((role) => role !== 'owner'))
      expect((await client.updateMember({ params: { id: someone }, body: { role } })).body.role).toBe(role);
    const [above, one] = [{ id: await memberId(owner) }, { id: someone }];
    const forbidden = [
      () => client.updateMember({ params: one, body: { role: 'owner' } }),
      () => client.updateMember({ params: above, body: { role: 'viewer' } }),
      () => client.updateMember({ params: above, body: { name: 'X' } }),
      () => client.removeMember({ params: above }),
    ];
    for (const call of forbidden) expect((await problemOf(call())).status).toBe(403);
  });

  test('a token with the scope to read does not write', async () => {
    const owner = await newOwner(service);
    const token = await sessionOf(service, owner, ['members:read']);
    const client = service.client(membersApi, token);
    const params = { id: await memberId(owner) };
    expect((await client.getMember({ params })).status).toBe(200);
    expect((await problemOf(client.updateMember({ params, body: { name: 'X' } }))).status).toBe(403);
  });
});

describe('the last owner', () => {
  test.each([{ role: 'admin' }, { status: 'suspended' }] as const)('is not changed to %j', async (body) => {
    const owner = await newOwner(service);
    const second = await newMember(service, owner.org, 'owner');
    const client = await as(owner);
    // One who is suspended owns nothing meanwhile.
    await client.updateMember({ params: { id: await memberId(second) }, body: { status: 'suspended' } });
    const own = { id: await memberId(owner) };
    const refused = await problemOf(client.updateMember({ params: own, body }));
    expect(refused.status).toBe(409);
    if ('role' in body) expect(refused.problem.type).toBe('urn:muster:problem:last-owner');
  });

  test('is not removed; with another one they may leave', async () => {
    const owner = await newOwner(service);
    const client = await as(owner);
    const params = { id: await memberId(owner) };
    expect((await problemOf(client.removeMember({ params }))).problem.type).toMatch(/last-owner$/);
    await newMember(service, owner.org, 'owner');
    expect((await client.removeMember({ params })).status).toBe(204);
  });

  test.each([1, 2, 3])('of two who step down at once, on two replicas, one stays (%i)', async () => {
    const one = await newOwner(service);
    const other = await newMember(service, one.org, 'owner');
    const stepDown = async (url: string, person: Person) => {
      const answer = await fetch(`${url}/api/members/${await memberId(person)}/`, {
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
    const id = await memberId(viewer);
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
  const params = { id: await memberId(viewer) };
  await client.updateMember({ params, body: { status: 'suspended' } });
  await eventually(async () => expect((await problemOf(me.getMe())).status).toBe(401), 5_000);
  await client.updateMember({ params, body: { status: 'active' } });
  await eventually(async () => expect((await me.getMe()).status).toBe(200), 5_000);
});

test('nobody suspends themselves', async () => {
  const owner = await newOwner(service);
  const admin = await newMember(service, owner.org, 'admin');
  const change = (await as(admin)).updateMember({
    params: { id: await memberId(admin) },
    body: { status: 'suspended' },
  });
  expect((await problemOf(change)).problem.detail).toMatch(/cannot suspend yourself/);
});

test('the demo owner is who requests without a token act as', async () => {
  const { items } = (await service.client(membersApi).listMembers()).body;
  expect(items).toMatchObject([{ email: DEMO_OWNER.email, role: 'owner' }]);
});
