import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  DEFAULT_SETTINGS,
  identityApi,
  replayRequested,
  type SettingsFacts,
  settingsApi,
  settingsUpdated,
} from '@muster/contracts';
import { openSetting, type SealedSecret } from '@muster/service-kit';
import { eventually, problemOf, publishEvent } from '@muster/testing';
import { v7 } from 'uuid';
import { resealSettings } from '../src/settings/settings.service.ts';
import {
  emitted,
  everythingStored,
  type Identity,
  inside,
  newKeyEncryptionKey,
  newMember,
  newOwner,
  type Person,
  sessionOf,
  startIdentity,
  startReplica,
} from './identity.fixture.ts';

let service: Identity;

beforeAll(async () => {
  service = await startIdentity();
});
afterAll(async () => {
  await service?.stop();
});

const as = async (person: Person) => service.client(settingsApi, await sessionOf(service, person));
const compatible = {
  provider: 'openai_compatible',
  base_url: 'https://ai.example.org/v1',
  model: 'm',
} as const;
const CANARY = 'canary-5d1f2c7a90be4483';

describe('reading', () => {
  test('who set nothing has the defaults, and the name of the organization', async () => {
    const { body, headers } = await (await as(await newOwner(service))).getSettings();
    expect(body).toEqual({
      ...DEFAULT_SETTINGS,
      organization: { ...DEFAULT_SETTINGS.organization, name: 'An organization' },
      ai: { ...DEFAULT_SETTINGS.ai, api_key_set: false },
      security: { ...DEFAULT_SETTINGS.security, domains: [] },
      version: 0,
      updated_at: null,
    });
    expect(headers.get('etag')).toBe('"0"');
  });

  test('where notifications go is for admins; the others see another version of the page', async () => {
    const owner = await newOwner(service);
    const client = await as(owner);
    const webhook_url = 'https://hooks.example.org/T0/secret';
    await client.updateSettings({ body: { notifications: { webhook_url } } });
    const viewer = await as(await newMember(service, owner.org, 'facilitator'));
    const shown = await viewer.getSettings();
    expect(shown.body.notifications.webhook_url).toBeNull();
    expect((await client.getSettings()).body.notifications.webhook_url).toBe(webhook_url);
    const known = { 'If-None-Match': (await client.getSettings()).headers.get('etag') ?? '' };
    expect((await client.getSettings({}, { headers: known })).status).toBe(304);
    expect((await viewer.getSettings({}, { headers: known })).status).toBe(200);
  });
});

describe('changing', () => {
  test('leaves alone what it does not name, and tells the others', async () => {
    const owner = await newOwner(service);
    const client = await as(owner);
    await client.updateSettings({ body: { security: { session_hours: 8 } } });
    const { body, headers } = await client.updateSettings({
      body: { organization: { timezone: 'Europe/Vienna' }, scoring: { bands: { P: 90, S: 70, M: 40 } } },
    });
    expect(body).toMatchObject({
      version: 2,
      security: { session_hours: 8, api_token_max_days: 365 },
      organization: { name: 'An organization', timezone: 'Europe/Vienna' },
      scoring: { bands: { P: 90, S: 70, M: 40 } },
    });
    expect(headers.get('etag')).toBe('"2"');
    expect(body.updated_at).not.toBeNull();
    const told = await emitted(service, settingsUpdated.type, owner.org);
    expect(told.map(({ seq }) => seq)).toEqual([0, 1, 2]);
    expect(told.at(-1)).toMatchObject({ orgid: owner.org, data: { security: { session_hours: 8 } } });
  });

  test('what was read may be sent back, and changes nothing', async () => {
    const owner = await newOwner(service);
    const client = await as(owner);
    await client.updateSettings({ body: { ai: { ...compatible, api_key: CANARY } } });
    const { body } = await client.getSettings();
    const again = await client.updateSettings({ body });
    expect(again.body).toEqual(body);
    expect(await emitted(service, settingsUpdated.type, owner.org)).toHaveLength(2);
  });

  test('the name is the organization’s', async () => {
    const owner = await newOwner(service);
    await (await as(owner)).updateSettings({ body: { organization: { name: 'Example Hospital' } } });
    const me = await service.client(identityApi, await sessionOf(service, owner)).getMe();
    expect(me.body.organization).toEqual({ id: owner.org, name: 'Example Hospital' });
  });

  test('honours If-Match, and of ten at once with one tag one wins', async () => {
    const client = await as(await newOwner(service));
    const change = (hours: number, tag: string) =>
      client.updateSettings(
        { body: { security: { session_hours: hours } } },
        { headers: { 'If-Match': tag } },
      );
    const calls = await Promise.allSettled(Array.from({ length: 10 }, (_, hour) => change(hour + 1, '"0"')));
    expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const call of calls)
      if (call.status === 'rejected') expect([409, 412]).toContain(call.reason.status);
    expect((await problemOf(change(20, '"0"'))).status).toBe(412);
    expect((await change(20, '"1"')).body.version).toBe(2);
  });

  test('without If-Match ten at once all arrive, or say that they did not', async () => {
    const client = await as(await newOwner(service));
    const calls = await Promise.allSettled(
      Array.from({ length: 10 }, (_, hour) =>
        client.updateSettings({ body: { security: { session_hours: hour + 1 } } }),
      ),
    );
    const done = calls.filter(({ status }) => status === 'fulfilled').length;
    for (const call of calls) if (call.status === 'rejected') expect(call.reason.status).toBe(409);
    const { version } = (await client.getSettings()).body;
    // The one that sets 12 hours, which is the default, may be the first and change nothing.
    expect(version).toBe(done);
  });

  test.each([
    [{ organization: { name: '' } }, '/organization/name'],
    [{ organization: { timezone: 'Mars/Base' } }, '/organization/timezone'],
    [{ organization: { logo_url: 'javascript:alert(1)' } }, '/organization/logo_url'],
    [{ ai: { provider: 'other' } }, '/ai/provider'],
    [{ ai: { provider: 'openai_compatible' } }, '/ai/base_url'],
    [{ ai: { provider: 'anthropic', model: 'm' } }, '/ai/api_key'],
    [{ ai: { base_url: 'https://u:p@ai.example.org' } }, '/ai/base_url'],
    [{ ai: { base_url: 'file:///etc/passwd' } }, '/ai/base_url'],
    [{ ai: { api_key: 'a\r\nb' } }, '/ai/api_key'],
    [{ ai: { timeout_ms: 1 } }, '/ai/timeout_ms'],
    [{ security: { session_hours: 0 } }, '/security/session_hours'],
    [{ security: { api_token_max_days: 366 } }, '/security/api_token_max_days'],
    [{ security: { ip_allowlist: 'yes' } }, '/security/ip_allowlist'],
    [{ security: { allowed_email_domains: ['gmail.com'] } }, '/security/allowed_email_domains/0'],
    [
      { security: { allowed_email_domains: ['a.example.org', '*.org'] } },
      '/security/allowed_email_domains/1',
    ],
    [{ security: { allowed_email_domains: ['@example.org'] } }, '/security/allowed_email_domains/0'],
    [{ scoring: { bands: { P: 50, S: 60, M: 70 } } }, '/scoring/bands'],
    [{ scoring: { bands: { P: 50 } } }, '/scoring/bands/S'],
    [{ notifications: { smtp_from: 'a@example.org\r\nBcc: b@example.org' } }, '/notifications/smtp_from'],
    [{ retention: { events_days: 0 } }, '/retention/events_days'],
    [{ org_id: v7() }, '/org_id'],
    [{ secrets: {} }, '/secrets'],
    [{ security: { $set: 1 } }, '/security/$set'],
  ])('refuses %j and names the field', async (body, path) => {
    const client = await as(await newOwner(service));
    const { status, problem } = await problemOf(client.updateSettings({ body: body as never }));
    expect(status).toBeLessThan(500);
    expect(status === 400 || problem.errors?.some((error) => error.path === path)).toBe(true);
    expect((await client.getSettings()).body.version).toBe(0);
  });

  test.each(['viewer', 'member', 'facilitator'] as const)('is not for a %s', async (role) => {
    const { org } = await newOwner(service);
    const client = await as(await newMember(service, org, role));
    const change = client.updateSettings({ body: { security: { session_hours: 1 } } });
    expect((await problemOf(change)).status).toBe(403);
    expect((await problemOf(client.testSettings({ body: { target: 'ai' } }))).status).toBe(403);
  });
});

describe('the key of the AI provider', () => {
  const set = async (owner: Person) => {
    const client = await as(owner);
    const { body } = await client.updateSettings({ body: { ai: { ...compatible, api_key: `${CANARY}\n` } } });
    return { client, body };
  };

  /** The key as the other services were told of it last. */
  const toldKey = async ({ org }: Person): Promise<SealedSecret> => {
    const told = (await emitted(service, settingsUpdated.type, org)).at(-1)?.data as
      | SettingsFacts
      | undefined;
    if (!told?.ai.api_key) throw new Error('no key was told');
    return told.ai.api_key;
  };

  test('is written and never read: no answer, event, job or document has it', async () => {
    const owner = await newOwner(service);
    const { client, body } = await set(owner);
    expect(body.ai).toMatchObject({ api_key_set: true });
    expect(JSON.stringify([body, (await client.getSettings()).body])).not.toContain(CANARY);
    await eventually(async () => expect(await everythingStored(service)).toContain('settings.updated'));
    expect(await everythingStored(service)).not.toContain(CANARY);
  });

  test('reaches the other services sealed for them', async () => {
    const owner = await newOwner(service);
    await set(owner);
    const sealed = await toldKey(owner);
    expect(openSetting(inside(service, owner.org), 'ai.api_key', sealed)).toBe(CANARY);
    const elsewhere = await newOwner(service);
    expect(() => openSetting(inside(service, elsewhere.org), 'ai.api_key', sealed)).toThrow();
  });

  test('stays when it is not named, and goes with null', async () => {
    const { client } = await set(await newOwner(service));
    expect((await client.updateSettings({ body: { ai: { model: 'other' } } })).body.ai.api_key_set).toBe(
      true,
    );
    expect((await client.updateSettings({ body: { ai: { api_key: null } } })).body.ai.api_key_set).toBe(
      false,
    );
  });

  test('does not follow to another address: whoever changes that must know it', async () => {
    const { client } = await set(await newOwner(service));
    const base_url = 'https://evil.example/v1';
    const moved = await problemOf(client.updateSettings({ body: { ai: { base_url } } }));
    expect(moved.problem.errors).toMatchObject([{ path: '/ai/api_key', code: 'key_for_another_address' }]);
    // Nor in steps, by way of a provider that has no use for an address.
    const step = client.updateSettings({ body: { ai: { provider: 'rules', base_url } } });
    expect((await problemOf(step)).status).toBe(422);
    const known = await client.updateSettings({ body: { ai: { base_url, api_key: CANARY } } });
    expect(known.body.ai.base_url).toBe(base_url);
  });

  test('is sealed anew with a new key-encryption key, and told again', async () => {
    const owner = await newOwner(service);
    await set(owner);
    const newer = newKeyEncryptionKey().replace('test:', 'newer:');
    const KEY_ENCRYPTION_KEY = `${newer},${service.env.KEY_ENCRYPTION_KEY}`;
    const replica = await startReplica(service, { KEY_ENCRYPTION_KEY });
    try {
      const ctx = inside(replica, owner.org);
      expect(await ctx.inTransaction(resealSettings)).toBe(true);
      expect(await ctx.inTransaction(resealSettings)).toBe(false);
      const sealed = await toldKey(owner);
      expect(sealed.key_id).toBe('newer');
      expect(openSetting(ctx, 'ai.api_key', sealed)).toBe(CANARY);
    } finally {
      await replica.stop();
    }
  });
});

test('a token lives no longer than the settings allow', async () => {
  const owner = await newOwner(service);
  await (await as(owner)).updateSettings({ body: { security: { api_token_max_days: 30 } } });
  const client = service.client(identityApi, await sessionOf(service, owner));
  const create = (expires_in_days: number) => client.createToken({ body: { name: 'n', expires_in_days } });
  const tooLong = await problemOf(create(31));
  expect(tooLong.problem.errors).toMatchObject([{ path: '/expires_in_days', code: 'too_long' }]);
  expect((await create(30)).status).toBe(201);
});

test('another organization’s settings stay as they are', async () => {
  const [one, other] = [await newOwner(service), await newOwner(service)];
  await (await as(one)).updateSettings({ body: { security: { session_hours: 3 } } });
  expect((await (await as(other)).getSettings()).body.security.session_hours).toBe(12);
});

test('a service without a copy gets them told again, as they are', async () => {
  const owner = await newOwner(service);
  await (await as(owner)).updateSettings({ body: { security: { session_hours: 3 } } });
  await publishEvent(service.env.AMQP_URL ?? '', replayRequested, {
    org: owner.org,
    subject: v7(),
    seq: 1,
    data: { types: [settingsUpdated.type] },
  });
  await eventually(async () => {
    const told = await emitted(service, settingsUpdated.type, owner.org);
    expect(told.map(({ seq }) => seq)).toEqual([0, 1, 1]);
  });
});
