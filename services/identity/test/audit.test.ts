import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type AuditEntry,
  auditApi,
  changeRecordedBy,
  type EventInput,
  identityApi,
  loginApi,
  membersApi,
  settingsApi,
} from '@muster/contracts';
import { eventually, problemOf, publishEvent } from '@muster/testing';
import { v7 } from 'uuid';
import { auditEntries } from '../src/audit/audit.model.ts';
import {
  type Identity,
  inside,
  newMember,
  newOwner,
  type Person,
  sessionOf,
  startIdentity,
} from './identity.fixture.ts';

const exercisesChange = changeRecordedBy('exercises');
let service: Identity;

beforeAll(async () => {
  service = await startIdentity();
});
afterAll(async () => {
  await service?.stop();
});

const log = async (person: Person) => service.client(auditApi, await sessionOf(service, person));

/** The organization's entries, oldest first, once there are as many as expected. */
async function entries(owner: Person, count: number): Promise<AuditEntry[]> {
  const client = await log(owner);
  return await eventually(async () => {
    const { items } = (await client.listAudit({ query: { limit: 200 } })).body;
    expect(items).toHaveLength(count);
    return items.toSorted((one, other) => one.at.localeCompare(other.at) || one.id.localeCompare(other.id));
  });
}

/** Does one of everything that is logged. @returns the owner and the id of the member they made */
async function busyOrganization() {
  const owner = await newOwner(service);
  const session = await sessionOf(service, owner);
  const members = service.client(membersApi, session);
  const me = service.client(identityApi, session);
  const { id } = (await members.inviteMember({ body: { email: 'new@example.org', role: 'viewer' } })).body;
  await members.inviteMember({ body: { email: 'new@example.org', role: 'member' } });
  await members.updateMember({ params: { id }, body: { role: 'facilitator', name: 'Somebody' } });
  await members.removeMember({ params: { id } });
  const token = (await me.createToken({ body: { name: 'forwarder', scopes: ['sessions:read'] } })).body;
  await me.revokeToken({ params: { id: token.id } });
  await me.updateIp({ body: { ip: '192.0.2.10' } });
  const settings = service.client(settingsApi, session);
  await settings.updateSettings({
    body: { security: { session_hours: 8 }, ai: { api_key: 'canary-secret' } },
  });
  return { owner, id, token };
}

const ACTIONS = [
  'organization.founded',
  'member.joined',
  'member.invited',
  'member.invite_renewed',
  'member.role_changed',
  'member.renamed',
  'member.invite_taken_back',
  'token.created',
  'token.revoked',
  'member.address_registered',
  'settings.updated',
];

test('every change is there once: who, what, from where, before and after, and no secret', async () => {
  const { owner, id, token } = await busyOrganization();
  const all = await entries(owner, ACTIONS.length);
  expect(all.map(({ action }) => action).toSorted()).toEqual(ACTIONS.toSorted());
  const of = (action: string) => all.find((entry) => entry.action === action);

  expect(of('organization.founded')?.actor).toEqual({ id: 'identity', name: 'identity', via: 'system' });
  expect(of('member.role_changed')).toMatchObject({
    service: 'identity',
    actor: { id: owner.id, name: 'Someone', via: 'session' },
    address: '127.0.0.1',
    object: { kind: 'member', id, name: 'new@example.org' },
    before: { role: 'member' },
    after: { role: 'facilitator' },
    request_id: expect.stringMatching(/^req-/),
  });
  expect(of('member.invite_taken_back')).toMatchObject({ before: { status: 'invited' }, after: null });
  expect(of('token.created')).toMatchObject({
    object: { kind: 'token', id: token.id, name: 'forwarder' },
    after: { scopes: ['sessions:read'] },
  });
  expect(of('member.address_registered')).toMatchObject({
    before: { address: null },
    after: { address: '192.0.2.10' },
  });
  expect(of('settings.updated')).toMatchObject({
    before: { security: { session_hours: 12 }, ai: { api_key: null } },
    after: { security: { session_hours: 8 }, ai: { api_key: 'set' } },
  });
  const text = JSON.stringify(all);
  for (const secret of ['canary-secret', token.token]) expect(text).not.toContain(secret);
});

describe('the list', () => {
  test('is newest first, in pages, and filtered by action, actor, object and time', async () => {
    const { owner, id } = await busyOrganization();
    const all = (await entries(owner, ACTIONS.length)).map((entry) => entry.id);
    const client = await log(owner);
    const first = (await client.listAudit({ query: { limit: 7 } })).body;
    const rest = (await client.listAudit({ query: { limit: 7, cursor: first.next_cursor ?? '' } })).body;
    const paged = [...first.items, ...rest.items].map((entry) => entry.id);
    expect(paged).toEqual(all.toSorted().toReversed());
    expect(first.total).toBe(ACTIONS.length);

    const actionsOf = async (query: object) =>
      (await client.listAudit({ query })).body.items.map(({ action }) => action);
    expect(await actionsOf({ action: 'settings.updated' })).toEqual(['settings.updated']);
    expect(await actionsOf({ actor: 'identity' })).toHaveLength(2);
    expect(await actionsOf({ actor: owner.id, action: 'token.created' })).toEqual(['token.created']);
    expect(await actionsOf({ object: id })).toHaveLength(5);
    const { at = '' } = first.items.at(-1) ?? {};
    expect(await actionsOf({ from: at })).toHaveLength(7);
    expect(await actionsOf({ to: at })).toHaveLength(ACTIONS.length - 7);
    expect(await actionsOf({ from: at, to: at })).toEqual([]);
  });

  test.each([{ action: '' }, { actor: 'x'.repeat(81) }, { limit: '201' }, { cursor: 'x' }, { unknown: '1' }])(
    'refuses %j',
    async (query) => {
      const client = await log(await newOwner(service));
      expect((await problemOf(client.listAudit({ query: query as never }))).status).toBe(422);
    },
  );
});

describe('what other services tell', () => {
  /** What a service told of a command of somebody. */
  async function told(owner: Person, more: Partial<EventInput<typeof exercisesChange>> = {}): Promise<void> {
    const data = {
      ...exercisesChange.example,
      actor: { id: owner.id, name: 'Ada Facilitator', via: 'session' as const },
      ...more,
    };
    await publishEvent(service.env.AMQP_URL ?? '', exercisesChange, {
      org: owner.org,
      subject: v7(),
      seq: 1,
      data,
    });
  }

  test('is found by service, result and words, and exported line by line', async () => {
    const owner = await newOwner(service);
    await told(owner, {
      action: 'sessions.create_session',
      object: { kind: 'sessions', id: 'S-1', name: '/api/sessions/' },
    });
    await told(owner, {
      action: 'scenarios.delete_scenario',
      result: 'refused',
      status: 403,
      problem: 'forbidden',
      times: 7,
    });
    await entries(owner, 4);
    const client = await log(owner);
    const actionsOf = async (query: object) =>
      (await client.listAudit({ query })).body.items.map(({ action }) => action);
    expect(await actionsOf({ service: 'exercises' })).toEqual([
      'scenarios.delete_scenario',
      'sessions.create_session',
    ]);
    expect(await actionsOf({ service: 'exercises', result: 'done' })).toEqual(['sessions.create_session']);
    expect(await actionsOf({ result: 'refused' })).toEqual(['scenarios.delete_scenario']);
    expect(await actionsOf({ q: 'ADA sess' })).toEqual([]);
    expect(await actionsOf({ q: 'ADA sessions' })).toEqual(['sessions.create_session']);
    expect(await actionsOf({ q: 'forbidden' })).toEqual(['scenarios.delete_scenario']);
    expect(await actionsOf({ q: '192.0.2.10' })).toHaveLength(2);

    const answer = await fetch(`${service.url}/api/audit/export/?service=exercises`, {
      headers: { authorization: `Bearer ${await sessionOf(service, owner)}` },
    });
    expect(answer.headers.get('content-type')).toContain('application/x-ndjson');
    expect(answer.headers.get('content-disposition')).toContain('audit.ndjson');
    const lines = (await answer.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as AuditEntry);
    expect(lines).toEqual((await client.listAudit({ query: { service: 'exercises' } })).body.items);
  });

  test('is exported whole, past the first page, and to admins only', async () => {
    const owner = await newOwner(service);
    await inside(service, owner.org).inTransaction((ctx) =>
      auditEntries(ctx).insertMany(
        Array.from({ length: 1_200 }, () => ({
          ...exercisesChange.example,
          _id: v7(),
          at: new Date(),
          service: 'exercises',
          words: [],
        })) as never,
      ),
    );
    const client = await log(owner);
    const text = String((await client.exportAudit({ query: { service: 'exercises' } })).body);
    const ids = text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as AuditEntry).id);
    expect([ids.length, new Set(ids).size]).toEqual([1_200, 1_200]);
    expect(ids).toEqual(ids.toSorted().toReversed());
    const member = await log(await newMember(service, owner.org, 'facilitator'));
    expect((await problemOf(member.exportAudit())).status).toBe(403);
  });
});

test('a command that no use case tells is there by itself, and so is a refusal', async () => {
  const owner = await newOwner(service);
  const viewer = await newMember(service, owner.org, 'viewer');
  const session = await sessionOf(service, viewer);
  await service.client(loginApi, session).logout();
  await problemOf(service.client(settingsApi, session).updateSettings({ body: {} }));
  const all = await entries(owner, 5);
  const of = all.filter(({ actor }) => actor.id === viewer.id);
  expect(of).toMatchObject([
    { action: 'login.logout', command: 'POST /auth/logout', result: 'done', status: 200 },
    {
      action: 'settings.update_settings',
      command: 'PUT /api/settings/',
      result: 'refused',
      problem: 'forbidden',
    },
  ]);
});

describe('who may read', () => {
  test.each(['viewer', 'member', 'facilitator'] as const)('not a %s', async (role) => {
    const { org } = await newOwner(service);
    const client = await log(await newMember(service, org, role));
    expect((await problemOf(client.listAudit())).status).toBe(403);
  });

  test('an admin, of their own organization', async () => {
    const [mine, theirs] = [await newOwner(service), await newOwner(service)];
    const [entry] = await entries(theirs, 2);
    const params = { id: entry?.id ?? '' };
    expect((await (await log(theirs)).getAuditEntry({ params })).body).toEqual(entry);
    const client = await log(await newMember(service, mine.org, 'admin'));
    expect((await problemOf(client.getAuditEntry({ params }))).status).toBe(404);
    expect((await problemOf(client.getAuditEntry({ params: { id: v7() } }))).status).toBe(404);
    await entries(mine, 3);
    const { items } = (await client.listAudit({ query: { object: entry?.object.id ?? '' } })).body;
    expect(items).toEqual([]);
  });

  test('nobody writes it: there is no way to', async () => {
    const session = await sessionOf(service, await newOwner(service));
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await fetch(`${service.url}/api/audit/`, {
        method,
        headers: { authorization: `Bearer ${session}` },
      });
      expect(answer.status).toBe(405);
    }
  });
});
