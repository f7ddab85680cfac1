import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accessChanged, identityApi, memberChanged, membersApi, ROLES } from '@muster/contracts';
import { problemOf } from '@muster/testing';
import { v7 } from 'uuid';
import { invites } from '../src/invites/invite.model.ts';
import { acceptInvite, findInvite } from '../src/invites/invite.service.ts';
import { addMember } from '../src/members/member.service.ts';
import {
  emitted,
  everythingStored,
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
  service = await startIdentity({ PUBLIC_ORIGIN: 'https://muster.example.org' });
});
afterAll(async () => {
  await service?.stop();
});

const as = async (person: Person) => service.client(membersApi, await sessionOf(service, person));
const newEmail = () => `${v7()}@example.com`;

/** Invites someone and answers the token of the link. */
async function invite(by: Person, email: string, role: Person['role'] = 'member') {
  const { body } = await (await as(by)).inviteMember({ body: { email, role } });
  return { member: body, token: new URL(body.invite.url ?? '').searchParams.get('token') ?? '' };
}
const accept = (token: string, person: { name: string; email: string }) =>
  acceptInvite(inside(service, v7()), token, person);
const found = (token: string) => findInvite(inside(service, v7()), token);

describe('inviting', () => {
  test('makes a member who is invited, and without a mail server answers the link', async () => {
    const owner = await newOwner(service);
    const client = await as(owner);
    const email = newEmail();
    const { status, body, headers } = await client.inviteMember({
      body: { email: email.toUpperCase(), role: 'facilitator' },
    });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/api/members/${body.id}/`);
    expect(body).toMatchObject({
      email,
      name: email,
      role: 'facilitator',
      status: 'invited',
      joined_at: null,
    });
    expect(Date.parse(body.invite.expires_at) - Date.now()).toBeGreaterThan(71.9 * 3_600_000);
    expect(body.invite.url).toMatch(
      /^https:\/\/muster\.example\.org\/auth\/invite\?token=[0-9a-f-]{36}\.[\w-]{43}$/,
    );

    const { body: listed } = await client.getMember({ params: { id: body.id } });
    expect(listed).not.toHaveProperty('invite');
    const inviter = await client.getMember({ params: { id: listed.invited_by ?? '' } });
    expect(inviter.body.email).toBe(`${owner.id}@example.org`);
    expect(await emitted(service, memberChanged.type, body.id)).toMatchObject([
      { seq: 1, data: { status: 'invited' } },
    ]);
  });

  test('keeps nothing that would let in who reads the database', async () => {
    const owner = await newOwner(service);
    const { token } = await invite(owner, newEmail());
    const [, secret = ''] = token.split('.');
    expect(await everythingStored(service)).not.toContain(secret);
  });

  test('again renews: the older link dies, and the role is the new one', async () => {
    const owner = await newOwner(service);
    const email = newEmail();
    const first = await invite(owner, email, 'viewer');
    const second = await invite(owner, email, 'member');
    expect(second.member.id).toBe(first.member.id);
    expect(await found(first.token)).toBeNull();
    expect(await found(second.token)).toMatchObject({ role: 'member', email });
    expect(await invites(inside(service, owner.org)).count({})).toBe(1);
  });

  test('a member, active or suspended, is a conflict', async () => {
    const owner = await newOwner(service);
    const viewer = await newMember(service, owner.org, 'viewer');
    const client = await as(owner);
    const again = () => client.inviteMember({ body: { email: `${viewer.id}@EXAMPLE.org`, role: 'viewer' } });
    expect((await problemOf(again())).status).toBe(409);
    const { items } = (await client.listMembers({ query: { role: 'viewer' } })).body;
    await client.updateMember({ params: { id: items[0]?.id ?? '' }, body: { status: 'suspended' } });
    expect((await problemOf(again())).status).toBe(409);
  });

  test('an admin invites up to admin, and does not renew what an owner invited as owner', async () => {
    const owner = await newOwner(service);
    const admin = await newMember(service, owner.org, 'admin');
    for (const role of ROLES.filter((role) => role !== 'owner')) await invite(admin, newEmail(), role);
    const client = await as(admin);
    const asOwner = client.inviteMember({ body: { email: newEmail(), role: 'owner' } });
    expect((await problemOf(asOwner)).status).toBe(403);
    const email = newEmail();
    await invite(owner, email, 'owner');
    expect((await problemOf(client.inviteMember({ body: { email, role: 'viewer' } }))).status).toBe(403);
  });

  test.each(['viewer', 'member', 'facilitator'] as const)('a %s invites nobody', async (role) => {
    const { org } = await newOwner(service);
    const client = await as(await newMember(service, org, role));
    const call = client.inviteMember({ body: { email: newEmail(), role: 'viewer' } });
    expect((await problemOf(call)).status).toBe(403);
  });

  test('the same address in two organizations is two people', async () => {
    const [one, other] = [await newOwner(service), await newOwner(service)];
    const email = newEmail();
    const first = await invite(one, email);
    const second = await invite(other, email);
    expect(second.member.id).not.toBe(first.member.id);
    expect(await found(first.token)).not.toBeNull();
  });

  test('five at once for one address leave one member and one link', async () => {
    const owner = await newOwner(service);
    const client = await as(owner);
    const body = { email: newEmail(), role: 'viewer' as const };
    const calls = await Promise.allSettled([1, 2, 3, 4, 5].map(() => client.inviteMember({ body })));
    expect(calls.some(({ status }) => status === 'fulfilled')).toBe(true);
    for (const call of calls)
      if (call.status === 'rejected') expect(call.reason).toMatchObject({ status: 409 });
    expect((await client.listMembers()).body.total).toBe(2);
    expect(await invites(inside(service, owner.org)).count({})).toBe(1);
  });

  test('the same Idempotency-Key is the same invitation', async () => {
    const client = await as(await newOwner(service));
    const body = { email: newEmail(), role: 'viewer' as const };
    const call = () => client.inviteMember({ body }, { headers: { 'Idempotency-Key': 'one' } });
    const [first, again] = [await call(), await call()];
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  test.each([
    {},
    { email: 'nobody', role: 'viewer' },
    { email: 'a@example.org\r\nBcc: b@example.org', role: 'viewer' },
    { email: '"a\r\n"@example.org', role: 'viewer' },
    { email: 'a@example.org, b@example.org', role: 'viewer' },
    { email: ['a@example.org'], role: 'viewer' },
    { email: { $gt: '' }, role: 'viewer' },
    { email: 'a@example.org', role: 'root' },
    { email: 'a@example.org' },
    { email: 'a@example.org', role: 'viewer', name: 'x'.repeat(121) },
    { email: 'a@example.org', role: 'viewer', org_id: v7() },
    { email: 'a@example.org', role: 'viewer', status: 'active' },
    { email: 'a@example.org', role: 'viewer', user_id: v7() },
    { email: `${'a'.repeat(250)}@example.org`, role: 'viewer' },
  ])('refuses %j', async (body) => {
    const client = await as(await newOwner(service));
    expect((await problemOf(client.inviteMember({ body: body as never }))).status).toBe(422);
    expect((await client.listMembers()).body.total).toBe(1);
  });
});

describe('what the page behind the link is told', () => {
  test('the organization, the role, the address and who invited', async () => {
    const owner = await newOwner(service);
    const email = newEmail();
    const { token } = await invite(owner, email);
    expect(await found(token)).toEqual({
      organization: 'An organization',
      role: 'member',
      email,
      inviter: 'Someone',
    });
  });

  test('nothing for a token that is none', async () => {
    const { org } = await newOwner(service);
    for (const token of ['', 'abc', `${org}.`, `${org}.${'a'.repeat(43)}`, `${v7()}.${'a'.repeat(43)}`])
      expect(await found(token)).toBeNull();
  });
});

describe('accepting', () => {
  test('makes an active member of the invited role, once', async () => {
    const owner = await newOwner(service);
    const email = newEmail();
    const { member: invited, token } = await invite(owner, email, 'facilitator');
    const { user, member } = await accept(token, { name: 'New Person', email: email.toUpperCase() });
    expect(user).toMatchObject({ name: 'New Person', email, org_id: owner.org });
    expect(member).toMatchObject({ _id: invited.id, role: 'facilitator', status: 'active', version: 2 });
    expect(member.joined_at).not.toBeNull();
    expect((await emitted(service, accessChanged.type, user._id)).at(-1)?.data).toMatchObject({
      role: 'facilitator',
    });
    const session = await sessionOf(service, { id: user._id, org: owner.org, role: 'facilitator' });
    expect((await service.client(identityApi, session).getMe()).body.user.email).toBe(email);

    await expect(accept(token, { name: 'Again', email })).rejects.toMatchObject({ code: 'forbidden' });
    expect(await found(token)).toBeNull();
  });

  test('is refused in the same words, whatever the reason', async () => {
    const owner = await newOwner(service);
    const ctx = inside(service, owner.org);
    const expired = await invite(owner, newEmail());
    const past = { $set: { expires_at: new Date(Date.now() - 1) } };
    await invites(ctx).updateOne({ member_id: expired.member.id }, past);
    const takenBack = await invite(owner, newEmail());
    await (await as(owner)).removeMember({ params: { id: takenBack.member.id } });
    const other = await invite(owner, newEmail());
    const attempts = [
      accept(`${owner.org}.${'a'.repeat(43)}`, { name: 'X', email: newEmail() }),
      accept('not a token', { name: 'X', email: newEmail() }),
      accept(expired.token, { name: 'X', email: expired.member.email }),
      accept(takenBack.token, { name: 'X', email: takenBack.member.email }),
      accept(other.token, { name: 'X', email: newEmail() }),
    ];
    const refusals = await Promise.all(attempts.map((attempt) => attempt.catch((error: unknown) => error)));
    const words = new Set(refusals.map((error) => (error as Error).message));
    expect(words.size).toBe(1);
    for (const error of refusals) expect(error).toMatchObject({ code: 'forbidden' });
    expect(await found(expired.token)).toBeNull();
    expect(await found(other.token)).not.toBeNull();
  });

  test('of five at once, one comes in', async () => {
    const owner = await newOwner(service);
    const email = newEmail();
    const { token } = await invite(owner, email);
    const person = { name: 'X', email };
    const attempts = await Promise.allSettled([1, 2, 3, 4, 5].map(() => accept(token, person)));
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('a token of one organization opens nothing in another', async () => {
    const [one, other] = [await newOwner(service), await newOwner(service)];
    const email = newEmail();
    const { token } = await invite(one, email);
    const moved = `${other.org}.${token.split('.')[1]}`;
    expect(await found(moved)).toBeNull();
    await expect(accept(moved, { name: 'X', email })).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('coming back', () => {
  test('whoever was removed and is invited again is the same user, with versions that go on', async () => {
    const owner = await newOwner(service);
    const email = newEmail();
    const first = await accept((await invite(owner, email)).token, { name: 'X', email });
    const client = await as(owner);
    await client.removeMember({ params: { id: first.member._id } });
    const again = await invite(owner, email, 'viewer');
    expect(again.member).toMatchObject({ id: first.member._id, status: 'invited', joined_at: null });
    const second = await accept(again.token, { name: '', email });
    expect(second.user).toMatchObject({ _id: first.user._id, name: 'X' });
    const access = await emitted(service, accessChanged.type, first.user._id);
    expect(access.map(({ seq }) => seq)).toEqual([2, 3, 5]);
    const roles = access.map(({ data }) => (data as { role: string | null }).role);
    expect(roles).toEqual(['member', null, 'viewer']);
  });

  test('who comes in by another way uses their invitation up and has its role', async () => {
    const owner = await newOwner(service);
    const email = newEmail();
    const { member, token } = await invite(owner, email, 'facilitator');
    const ctx = inside(service, owner.org);
    const person = { id: v7(), name: 'X', email };
    const joined = await ctx.inTransaction((within) => addMember(within, person, 'viewer'));
    expect(joined).toMatchObject({ _id: member.id, role: 'facilitator', status: 'active' });
    expect(joined.user_id).not.toBe(person.id);
    expect(await found(token)).toBeNull();
  });
});
