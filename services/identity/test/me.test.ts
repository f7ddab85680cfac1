import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  accessChanged,
  identityApi,
  loginApi,
  membersApi,
  SCOPE_NAMES,
  type Scope,
  settingsApi,
} from '@muster/contracts';
import { ask, eventually, problemOf } from '@muster/testing';
import { members } from '../src/members/member.model.ts';
import { beginSession } from '../src/web-sessions/web-session.service.ts';
import {
  emitted,
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

const as = async (person: Person) => service.client(identityApi, await sessionOf(service, person));

/** A web session as a login begins it: its cookie, and a token for it. */
async function webSession({ id: userId, org }: Person) {
  const entry = { userId, provider: 'provider-a', logoutUrl: null, userAgent: undefined };
  const { cookie } = await inside(service, org).inTransaction((ctx) => beginSession(ctx, entry));
  const exchange = () => service.client(loginApi).exchangeSession({ body: { cookie } });
  return { exchange, token: (await exchange()).body.token };
}

describe('who I am', () => {
  test('a web session ends when it ends, not with the few minutes of its token', async () => {
    const { token } = await webSession(await newOwner(service));
    const { body } = await service.client(identityApi, token).getMe();
    expect(body.authenticated_by).toBe('session');
    expect(body.user.picture).toBeNull();
    const hours = (Date.parse(body.expires_at ?? '') - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(11.9);
    expect(hours).toBeLessThanOrEqual(12);
  });

  test('a session lasts as long as the settings say', async () => {
    const owner = await newOwner(service);
    const settings = service.client(settingsApi, await sessionOf(service, owner));
    await settings.updateSettings({ body: { security: { session_hours: 2 } } });
    const { body } = await service.client(identityApi, (await webSession(owner)).token).getMe();
    expect((Date.parse(body.expires_at ?? '') - Date.now()) / 3_600_000).toBeLessThanOrEqual(2);
  });

  test('whoever is removed has no session left, also not should they come back', async () => {
    const owner = await newOwner(service);
    const viewer = await newMember(service, owner.org, 'viewer');
    const { exchange } = await webSession(viewer);
    const member = await members(inside(service, owner.org)).findOne({ user_id: viewer.id });
    const client = service.client(membersApi, await sessionOf(service, owner));
    await client.removeMember({ params: { id: member?._id ?? '' } });
    await members(inside(service, owner.org)).updateOne(
      { user_id: viewer.id },
      { $set: { status: 'active' } },
    );
    expect((await problemOf(exchange())).status).toBe(401);
  });
});

describe('the registered address', () => {
  test('is the caller’s own unless they name another, and is told to the others', async () => {
    const owner = await newOwner(service);
    const client = await as(owner);
    const { body } = await client.updateIp({ body: {} });
    expect(body.ip).toBe('127.0.0.1');
    expect(Date.now() - Date.parse(body.updated_at)).toBeLessThan(5_000);
    expect((await client.updateIp({ body: { ip: '2001:db8::7' } })).body.ip).toBe('2001:db8::7');
    expect((await client.getMe()).body.user.ip).toBe('2001:db8::7');
    const told = await emitted(service, accessChanged.type, owner.id);
    expect(told.map(({ seq, data }) => [seq, (data as { address: string | null }).address])).toEqual([
      [1, null],
      [2, '127.0.0.1'],
      [3, '2001:db8::7'],
    ]);
  });

  test('is what the gateway saw, not what a caller claims in front of it', async () => {
    const owner = await newOwner(service);
    const answer = await ask(service.url, '/auth/update-ip', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await sessionOf(service, owner)}`,
        'content-type': 'application/json',
        'x-forwarded-for': '203.0.113.1, 198.51.100.7',
      },
      body: '{}',
    });
    expect(answer.json()).toMatchObject({ ip: '198.51.100.7' });
  });

  test.each(['', 'localhost', '1.2.3', '300.1.1.1', '10.0.0.0/8', '::1%eth0', 7, null, ['10.0.0.1']])(
    'is not %j',
    async (ip) => {
      const client = await as(await newOwner(service));
      expect((await problemOf(client.updateIp({ body: { ip } as never }))).status).toBe(422);
      expect((await client.getMe()).body.user.ip).toBeNull();
    },
  );

  test('where the settings ask for it, only from there: but another can always be registered', async () => {
    const owner = await newOwner(service);
    const client = await as(owner);
    const settings = service.client(settingsApi, await sessionOf(service, owner));
    await client.updateIp({ body: { ip: '192.0.2.10' } });
    await settings.updateSettings({ body: { security: { ip_allowlist: true } } });
    await eventually(async () => {
      const refused = await problemOf(client.getMe());
      expect(refused.problem.type).toBe('urn:muster:problem:ip-not-allowed');
    }, 5_000);
    expect((await client.updateIp({ body: {} })).status).toBe(200);
    await eventually(async () => expect((await client.getMe()).status).toBe(200), 5_000);
  });

  test('is registered by a web session, or by a token that was asked for it: a stolen one moves nothing', async () => {
    const owner = await newOwner(service);
    const session = service.client(identityApi, (await webSession(owner)).token);
    const token = async (body: { scopes?: Scope[] }) => {
      const made = await session.createToken({ body: { name: 'n', ...body } });
      return service.client(identityApi, made.body.token);
    };
    const others = SCOPE_NAMES.filter((scope) => scope !== 'ip:write');
    for (const stolen of [await token({}), await token({ scopes: others })]) {
      const { status, problem } = await problemOf(stolen.updateIp({ body: { ip: '203.0.113.66' } }));
      expect([status, problem.detail]).toEqual([403, expect.stringContaining('ip:write')]);
    }
    expect((await session.getMe()).body.user.ip).toBeNull();
    await session.updateIp({ body: { ip: '192.0.2.10' } });
    await (await token({ scopes: ['ip:write'] })).updateIp({ body: { ip: '192.0.2.11' } });
    expect((await session.getMe()).body.user.ip).toBe('192.0.2.11');
  });
});

test('an API token outlives the session that made it, for as long as was asked and the organization allows', async () => {
  const owner = await newOwner(service);
  const { token } = await webSession(owner);
  const session = service.client(identityApi, token);
  const daysOf = async (expires_in_days?: number) => {
    const { body } = await session.createToken({ body: { name: 'n', expires_in_days } });
    return Math.round((Date.parse(body.expires_at) - Date.now()) / 86_400_000);
  };
  expect([await daysOf(300), await daysOf()]).toEqual([300, 90]);
  await service.client(settingsApi, token).updateSettings({ body: { security: { api_token_max_days: 7 } } });
  expect(await daysOf()).toBe(7);
  expect((await problemOf(session.createToken({ body: { name: 'n', expires_in_days: 8 } }))).status).toBe(
    422,
  );
});
