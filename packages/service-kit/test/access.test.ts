import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  accessChanged,
  DEFAULT_SETTINGS,
  type EventDeclaration,
  type EventInput,
  type Role,
  type SettingsFacts,
  scopesOf,
  settingsUpdated,
  tokenRevoked,
} from '@muster/contracts';
import { isEngineDown } from '@muster/messaging';
import { eventually, publishEvent } from '@muster/testing';
import { v7 } from 'uuid';
import { accessCheck } from '../src/access/check.ts';
import { standingSource } from '../src/access/standing.ts';
import { developmentActor, settingsOf } from '../src/index.ts';
import { connectMongo } from '../src/mongo/connection.ts';
import { ask, inside, type Notes, startNotes } from './stand.fixture.ts';

let service: Notes;
beforeAll(async () => {
  service = await startNotes();
});
afterAll(async () => {
  await service?.stop();
});

const WITHIN_MS = 5_000;
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

/** Someone of an organization of their own, with a session. */
function someone(role: Role = 'owner') {
  const [id, org, jti] = [v7(), v7(), v7()];
  const token = service.tokens.sign({ sub: id, org, jti, role, scopes: scopesOf(role) });
  return { id, org, jti, token };
}
type Someone = ReturnType<typeof someone>;

const tell = async <E extends EventDeclaration>(
  { org }: { org: string },
  declaration: E,
  subject: string,
  seq: number,
  data: EventInput<E>,
) => await publishEvent(service.env.AMQP_URL ?? '', declaration, { org, subject, seq, data });

const tellAccess = (who: Someone, seq: number, role: Role | null, address: string | null = null) =>
  tell(who, accessChanged, who.id, seq, { user_id: who.id, role, address });

const tellSettings = (who: Someone, version: number, security: Partial<SettingsFacts['security']>) =>
  tell(who, settingsUpdated, who.org, version, {
    ...(DEFAULT_SETTINGS as unknown as SettingsFacts),
    ai: { ...DEFAULT_SETTINGS.ai, api_key: null },
    security: { ...(DEFAULT_SETTINGS.security as unknown as SettingsFacts['security']), ...security },
  });

/** Where the request comes from, as the gateway says it. */
const as = ({ token }: { token: string }, address?: string) => ({
  headers: { authorization: `Bearer ${token}`, ...(address && { 'x-forwarded-for': address }) },
});
const list = (who: Someone, address?: string) => ask(service, 'GET /api/notes/', as(who, address));
/** Only admins may drop a note. */
const drop = async (who: Someone) => (await ask(service, `DELETE /api/notes/${v7()}/`, as(who))).status;

/** Waits until this service has taken an event in, which it shows by what it stored. */
const stored = (id: string, version: number, collection = 'access') =>
  eventually(async () => {
    const row = await service.database.collection<{ _id: string }>(collection).findOne({ _id: id });
    expect(row).toMatchObject({ version });
  });
const storedPerson = ({ org, id }: Someone, version: number) => stored(`user:${org}:${id}`, version);

describe('a revoked token', () => {
  test('is worth nothing within five seconds; its neighbours live on', async () => {
    const one = someone();
    const neighbour = { ...one, token: service.tokens.sign({ sub: one.id, org: one.org }) };
    expect((await list(one)).status).toBe(200);
    const revocation = { jti: one.jti, expires_at: inAnHour() };
    await tell(one, tokenRevoked, one.jti, 1, revocation);
    await eventually(async () => expect((await list(one)).status).toBe(401), WITHIN_MS);
    expect((await list(one)).body).toMatchObject({ detail: 'The token was revoked.' });
    expect((await list(neighbour)).status).toBe(200);
  });

  test('of another organization is another token', async () => {
    const [one, other] = [someone(), someone()];
    await tell(other, tokenRevoked, one.jti, 1, { jti: one.jti, expires_at: inAnHour() });
    await eventually(async () => {
      const rows = service.database.collection<{ _id: string }>('access');
      expect(await rows.countDocuments({ _id: one.jti })).toBe(1);
    });
    expect((await list(one)).status).toBe(200);
  });
});

describe('somebody of whom nothing was told yet', () => {
  const standings = () => service.tokens.standings;

  test('may do what identity says when it is asked, which it is once', async () => {
    const [who, stranger] = [someone('owner'), someone('owner')];
    standings().of.set(who.id, { role: 'viewer' }).set(stranger.id, { role: null });
    expect([await drop(who), (await list(who)).status]).toEqual([403, 200]);
    expect((await list(stranger)).status).toBe(401);
    const again = { ...who, token: service.tokens.sign({ sub: who.id, org: who.org, role: 'owner' }) };
    expect(await drop(again)).toBe(403);
    expect(standings().asked.filter((id) => id === who.id)).toHaveLength(1);
  });

  test('comes with a token that identity knows as revoked, or from an address that it does not let in', async () => {
    const [revoked, elsewhere] = [someone(), someone()];
    standings().of.set(revoked.id, { revoked: true });
    standings().of.set(elsewhere.id, { ip_allowlist: true, address: '192.0.2.10' });
    expect((await list(revoked)).body).toMatchObject({ detail: 'The token was revoked.' });
    expect((await list(elsewhere, '203.0.113.7')).status).toBe(403);
    expect((await list(elsewhere, '192.0.2.10')).status).toBe(200);
  });

  test('waits while identity cannot be asked; whoever is known does not', async () => {
    const [known, unknown] = [someone(), someone()];
    expect((await list(known)).status).toBe(200);
    standings().away = true;
    try {
      const { status, headers } = await list(unknown);
      expect([status, headers.get('retry-after')]).toEqual([503, '2']);
      const again = { ...known, token: service.tokens.sign({ sub: known.id, org: known.org }) };
      expect((await list(again)).status).toBe(200);
    } finally {
      standings().away = false;
    }
    expect((await list(unknown)).status).toBe(200);
  });

  test('is judged by what events tell from then on, and by what they told before', async () => {
    const [later, before] = [someone(), someone()];
    standings()
      .of.set(later.id, { role: 'viewer', version: 4 })
      .set(before.id, { role: 'owner', version: 0 });
    expect(await drop(later)).toBe(403);
    await tellAccess(later, 3, null);
    await tellAccess(later, 5, 'owner');
    await eventually(async () => expect(await drop(later)).toBe(204), WITHIN_MS);
    await tellAccess(before, 2, 'viewer');
    await storedPerson(before, 2);
    expect(await drop(before)).toBe(403);
  });
});

describe('what a person may do', () => {
  test('is less within five seconds of losing a role, and more again with it back', async () => {
    const who = someone('owner');
    expect(await drop(who)).toBe(204);
    await tellAccess(who, 2, 'viewer');
    await eventually(async () => expect(await drop(who)).toBe(403), WITHIN_MS);
    expect((await list(who)).status).toBe(200);
    await tellAccess(who, 3, 'owner');
    await eventually(async () => expect(await drop(who)).toBe(204), WITHIN_MS);
  });

  test('is never more than their token says', async () => {
    const who = someone('viewer');
    await tellAccess(who, 1, 'owner');
    await storedPerson(who, 1);
    expect(await drop(who)).toBe(403);
  });

  test('is nothing once suspended, and as before when taken back', async () => {
    const who = someone();
    await tellAccess(who, 1, 'owner');
    expect((await list(who)).status).toBe(200);
    await tellAccess(who, 2, null);
    await eventually(async () => {
      const { status, body, headers } = await list(who);
      expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(body).toMatchObject({ detail: expect.stringContaining('not a member') });
    }, WITHIN_MS);
    await tellAccess(who, 3, 'owner');
    await eventually(async () => expect((await list(who)).status).toBe(200), WITHIN_MS);
  });

  test('is what the newest event says, in whatever order they come', async () => {
    const who = someone();
    await tellAccess(who, 5, null);
    await eventually(async () => expect((await list(who)).status).toBe(401), WITHIN_MS);
    for (const seq of [1, 4, 5]) await tellAccess(who, seq, 'owner');
    const last = someone();
    await tellAccess(last, 1, 'owner');
    await storedPerson(last, 1);
    await storedPerson(who, 5);
    expect((await list(who)).status).toBe(401);
  });

  test('is their own: another member is not touched', async () => {
    const who = someone();
    const colleague = { ...someone(), org: who.org };
    const token = service.tokens.sign({ sub: colleague.id, org: who.org });
    await tellAccess(who, 1, null);
    await eventually(async () => expect((await list(who)).status).toBe(401), WITHIN_MS);
    expect((await list({ ...colleague, token })).status).toBe(200);
  });
});

describe('the address', () => {
  /** An organization that asks for the registered address, and one of its people. */
  async function bound(registered: string | null): Promise<Someone> {
    const who = someone();
    await tellAccess(who, 1, 'owner', registered);
    await tellSettings(who, 1, { ip_allowlist: true });
    await storedPerson(who, 1);
    await stored(who.org, 1, 'organization_settings');
    return who;
  }

  test.each([
    ['192.0.2.10', '192.0.2.10', 200],
    ['192.0.2.10', '::ffff:192.0.2.10', 200],
    ['192.0.2.10', '203.0.113.7, 192.0.2.10', 200],
    ['2001:db8::a', '2001:DB8:0::0:a', 200],
    ['192.0.2.10', '192.0.2.11', 403],
    ['192.0.2.10', '192.0.2.10, 203.0.113.7', 403],
    ['192.0.2.10', '2001:db8::a', 403],
    ['127.0.0.1', undefined, 200],
    ['192.0.2.10', undefined, 403],
    [null, '192.0.2.10', 403],
  ])('registered %j, called from %j: %i', async (registered, from, status) => {
    const who = await bound(registered);
    expect((await list(who, from)).status).toBe(status);
  });

  test('that is not registered is told what to do, and works for the endpoint that registers it', async () => {
    const who = await bound('192.0.2.10');
    expect((await list(who, '203.0.113.7')).body).toMatchObject({
      type: 'urn:muster:problem:ip-not-allowed',
      detail: expect.stringContaining('POST /auth/update-ip'),
    });
    expect((await ask(service, `GET /api/notes/${v7()}/`, as(who, '203.0.113.7'))).status).toBe(404);
  });

  test('registered anew works within five seconds, and the old one no more', async () => {
    const who = await bound('192.0.2.10');
    await tellAccess(who, 2, 'owner', '203.0.113.7');
    await eventually(async () => expect((await list(who, '203.0.113.7')).status).toBe(200), WITHIN_MS);
    expect((await list(who, '192.0.2.10')).status).toBe(403);
  });

  test('does not matter again once the settings say so', async () => {
    const who = await bound(null);
    await tellSettings(who, 2, { ip_allowlist: false });
    await eventually(async () => expect((await list(who, '203.0.113.7')).status).toBe(200), WITHIN_MS);
  });

  test('does not matter without a token, in development', async () => {
    expect(
      (await ask(service, 'GET /api/notes/', { headers: { 'x-forwarded-for': '203.0.113.7' } })).status,
    ).toBe(200);
  });
});

test('without its database nothing is let in, and that is not remembered', async () => {
  const { MONGODB_URI = '', MONGODB_DB = '' } = service.env;
  const connection = await connectMongo(MONGODB_URI, MONGODB_DB, { patienceMs: 300 });
  const admit = accessCheck(connection, standingSource(service.runtime.config));
  const who = { ...developmentActor, id: v7(), org: v7(), tokenId: v7() };
  const origin = { address: null, anyAddress: false };
  const client = connection.getClient();
  await client.close();
  const failed = await admit(who, origin).catch((error: unknown) => error);
  expect(isEngineDown(failed)).toBe(true);
  await client.connect();
  expect(await admit(who, origin)).toEqual(who);
  await connection.close();
});

describe('the settings', () => {
  test('are the defaults until some are told, then the newest', async () => {
    const who = someone();
    const hours = async () => (await settingsOf(inside(service, who.org))).security.session_hours;
    expect(await hours()).toBe(DEFAULT_SETTINGS.security.session_hours);
    expect((await settingsOf(inside(service, who.org))).ai.api_key).toBeNull();
    await tellSettings(who, 3, { session_hours: 8 });
    await eventually(async () => expect(await hours()).toBe(8));
    await tellSettings(who, 2, { session_hours: 24 });
    await tellSettings(who, 4, { session_hours: 9 });
    await eventually(async () => expect(await hours()).toBe(9));
    expect((await settingsOf(inside(service))).security.session_hours).toBe(12);
  });
});
