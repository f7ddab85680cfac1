import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accessChanged, memberChanged, membersApi, ROLES } from '@muster/contracts';
import { eventually, problemOf } from '@muster/testing';
import { v7 } from 'uuid';
import {
  emitted,
  type Identity,
  memberIdOf,
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

const as = async (person: Person) => service.client(membersApi, await sessionOf(service, person));

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
    await client.updateMember({
      params: { id: await memberIdOf(service, viewer) },
      body: { status: 'suspended' },
    });
    const idsOf = async (query: object) =>
      (await client.listMembers({ query })).body.items.map(({ id }) => id);
    expect(await idsOf({ role: 'viewer' })).toEqual([await memberIdOf(service, viewer)]);
    expect(await idsOf({ status: 'suspended', role: 'viewer' })).toEqual([await memberIdOf(service, viewer)]);
    expect(await idsOf({ status: 'active' })).toEqual([await memberIdOf(service, owner)]);
    expect(await idsOf({ status: 'invited' })).toEqual([]);
    expect((await problemOf(client.listMembers({ query: { status: 'removed' as never } }))).status).toBe(422);
  });

  test('one member carries its version as its tag', async () => {
    const owner = await newOwner(service);
    const { headers } = await (await as(owner)).getMember({
      params: { id: await memberIdOf(service, owner) },
    });
    expect(headers.get('etag')).toBe('"1"');
  });

  test('when somebody was last seen is told by the use of their tokens', async () => {
    const owner = await newOwner(service);
    const client = await as(owner);
    const asked = Date.now();
    await client.listMembers();
    await eventually(async () => {
      const { last_seen_at } = (await client.getMember({ params: { id: await memberIdOf(service, owner) } }))
        .body;
      expect(Date.parse(last_seen_at ?? '')).toBeGreaterThanOrEqual(asked - 1000);
    });
  });
});

describe('another organization’s member', () => {
  test.each(['getMember', 'updateMember', 'removeMember'] as const)('does not exist for %s', async (call) => {
    const [mine, theirs] = [await newOwner(service), await newOwner(service)];
    const client = await as(mine);
    const params = { id: await memberIdOf(service, theirs) };
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
    const id = await memberIdOf(service, viewer);
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
    const id = await memberIdOf(service, owner);
    const { headers } = await (await as(owner)).updateMember({ params: { id }, body: { role: 'owner' } });
    expect(headers.get('etag')).toBe('"1"');
    expect(await emitted(service, memberChanged.type, id)).toHaveLength(1);
  });

  test('honours If-Match', async () => {
    const owner = await newOwner(service);
    const id = await memberIdOf(service, await newMember(service, owner.org, 'viewer'));
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
    const id = await memberIdOf(service, await newMember(service, owner.org, 'member'));
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
    const params = { id: await memberIdOf(service, someone) };
    expect((await problemOf(client.updateMember({ params, body: { role: 'owner' } }))).status).toBe(403);
    expect((await problemOf(client.removeMember({ params }))).status).toBe(403);
    expect((await client.getMember({ params })).status).toBe(200);
  });

  test('an admin manages others up to admin, but no owner, and makes none', async () => {
    const owner = await newOwner(service);
    const client = await as(await newMember(service, owner.org, 'admin'));
    const someone = await memberIdOf(service, await newMember(service, owner.org, 'viewer'));
    for (const role of ROLES.filter((role) => role !== 'owner'))
      expect((await client.updateMember({ params: { id: someone }, body: { role } })).body.role).toBe(role);
    const [above, one] = [{ id: await memberIdOf(service, owner) }, { id: someone }];
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
    const params = { id: await memberIdOf(service, owner) };
    expect((await client.getMember({ params })).status).toBe(200);
    expect((await problemOf(client.updateMember({ params, body: { name: 'X' } }))).status).toBe(403);
  });
});
