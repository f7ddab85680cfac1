import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type SettingsTest, settingsApi } from '@muster/contracts';
import { freePort } from '@muster/devstack';
import { eventually, problemOf } from '@muster/testing';
import { v7 } from 'uuid';
import { toTest } from '../src/settings/test.model.ts';
import { findTest, runTest } from '../src/settings/test.service.ts';
import {
  everythingStored,
  type Identity,
  inside,
  newMember,
  newOwner,
  type Person,
  PRODUCTION,
  sessionOf,
  startIdentity,
  startReplica,
} from './identity.fixture.ts';
import { type MailServer, startMailServer } from './mail.fixture.ts';

const KEY = 'canary-77d0a1c5e2';
let service: Identity;
let mail: MailServer;
let provider: Server;
/** What the provider does with a request, and what it was asked. */
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const asked: { method: string | undefined; url: string | undefined; key: string | undefined }[] = [];

beforeAll(async () => {
  mail = await startMailServer();
  provider = createServer((request, response) => {
    const { method, url, headers } = request;
    asked.push({ method, url, key: headers.authorization ?? String(headers['x-api-key']) });
    request.resume().on('end', () => answer(request, response));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  service = await startIdentity({ SMTP_URL: mail.url, SMTP_FROM: 'muster@mail.example.org' });
});
afterAll(async () => {
  await service?.stop();
  await mail?.stop();
  provider.closeAllConnections();
  provider.close();
});

const as = async (person: Person) => service.client(settingsApi, await sessionOf(service, person));
const here = (port = (provider.address() as AddressInfo).port) => `http://127.0.0.1:${port}/v1`;
const json = (status: number, body: unknown) => (_request: IncomingMessage, response: ServerResponse) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** Tries the settings as another replica would, with other variables. */
async function triedBy(person: Person, target: SettingsTest['target'], variables: Record<string, string>) {
  const replica = await startReplica(service, { ROLE: 'api', ...variables });
  try {
    const ctx = inside(replica, person.org);
    const id = v7();
    await runTest(ctx, { id, target, user_id: person.id });
    return toTest(await findTest(ctx, id));
  } finally {
    await replica.stop();
  }
}

/** Stores AI settings for a new organization and tries them. */
async function tried(ai: object, key: string | null = KEY): Promise<SettingsTest> {
  asked.length = 0;
  const client = await as(await newOwner(service));
  const given = { provider: 'openai_compatible', base_url: here(), model: 'm', ...ai } as const;
  await client.updateSettings({ body: { ai: { ...given, api_key: key } } });
  const { body } = await client.testSettings({ body: { target: 'ai' } }, { headers: { Prefer: 'wait=30' } });
  return body as SettingsTest;
}

describe('a provider that speaks like OpenAI', () => {
  test('is asked for its models, with the key', async () => {
    answer = json(200, { data: [{ id: 'other' }, { id: 'm' }] });
    const { ok, detail, target, latency_ms } = await tried({});
    expect({ ok, target }).toEqual({ ok: true, target: 'ai' });
    expect(detail).toMatch(/^127\.0\.0\.1:\d+ answers and knows the model m\.$/);
    expect(latency_ms).toBeGreaterThanOrEqual(0);
    expect(asked).toEqual([{ method: 'GET', url: '/v1/models', key: `Bearer ${KEY}` }]);
  });

  test.each([
    ['does not list its models', 404, {}],
    ['lists the model under another name', 200, { data: [{ id: 'm:latest' }] }],
    ['answers with something else', 200, '<html>'],
  ])('and %s is asked for one token', async (_what, status, models) => {
    answer = (request, response) =>
      request.url?.endsWith('/models')
        ? json(status, models)(request, response)
        : json(200, { choices: [{ message: { content: 'H' } }] })(request, response);
    expect((await tried({})).ok).toBe(true);
    expect(asked.map(({ url }) => url)).toEqual(['/v1/models', '/v1/chat/completions']);
  });

  test('may want no key', async () => {
    answer = json(200, { data: [{ id: 'm' }] });
    expect((await tried({}, null)).ok).toBe(true);
    expect(asked[0]?.key).toBe('undefined');
  });
});

test('Anthropic is asked for the model itself', async () => {
  answer = json(200, { id: 'm', type: 'model' });
  expect((await tried({ provider: 'anthropic' })).ok).toBe(true);
  expect(asked).toEqual([{ method: 'GET', url: '/v1/models/m', key: KEY }]);
  answer = json(404, { error: {} });
  expect((await tried({ provider: 'anthropic' })).detail).toMatch(/does not know the model m/);
});

test('the rules engine needs no one', async () => {
  const { ok, detail } = await tried({ provider: 'rules' });
  expect(ok).toBe(true);
  expect(detail).toMatch(/nothing to reach/);
  expect(asked).toEqual([]);
});

describe('what goes wrong is a sentence, and never the key', () => {
  test.each([
    ['a wrong key', json(401, { error: { message: `Incorrect API key: ${KEY}` } }), /refuses the API key/],
    ['an unknown model', json(404, { error: { message: KEY } }), /does not know the model m/],
    ['a failure of the provider', json(503, { error: KEY }), /failure of its own \(HTTP 503\)/],
    ['too many requests', json(429, {}), /quota/],
    ['a web page', json(200, '<html>'), /does not answer as an OpenAI-compatible provider/],
    [
      'a redirect to where nothing may be called',
      (_request: IncomingMessage, response: ServerResponse) =>
        response.writeHead(302, { location: `http://localhost:1/${KEY}` }).end(),
      /Only https/,
    ],
    [
      'a connection that breaks',
      (request: IncomingMessage) => request.socket.destroy(),
      /without a usable answer/,
    ],
    ['silence', () => undefined, /did not answer in full within 1 s/],
  ])('%s', async (_what, does, detail) => {
    answer = does;
    const result = await tried({ timeout_ms: 1_000 });
    expect(result).toMatchObject({ ok: false, detail: expect.stringMatching(detail) });
    expect(JSON.stringify(result)).not.toContain(KEY);
    expect(asked.filter(({ url }) => url?.includes(KEY))).toEqual([]);
  });

  test('nobody there', async () => {
    const { detail } = await tried({ base_url: here(await freePort()) });
    expect(detail).toMatch(/takes no connection/);
  });

  test('no TLS where there should be', async () => {
    answer = json(200, {});
    const { detail } = await tried({ base_url: here().replace('http:', 'https:') });
    expect(detail).toMatch(/TLS/);
  });

  test.each([
    'http://ai.example.org/v1',
    'https://10.0.0.1/v1',
    'https://169.254.169.254/latest',
    'https://[::ffff:10.0.0.1]/v1',
    'https://0x0a000001/v1',
    'https://192.168.1.1.:8443/',
  ])('the private address %s is not called', async (base_url) => {
    const { ok, detail } = await tried({ base_url });
    expect(ok).toBe(false);
    expect(detail).toMatch(/public internet|Only https|Only the port/);
  });

  test('in production neither is this machine, unless it is listed', async () => {
    const owner = await newOwner(service);
    answer = json(200, { data: [{ id: 'm' }] });
    await (await as(owner)).updateSettings({
      body: { ai: { provider: 'openai_compatible', base_url: here(), model: 'm' } },
    });
    expect((await triedBy(owner, 'ai', PRODUCTION)).ok).toBe(false);
    const AI_ALLOW_HOSTS = new URL(here()).host;
    expect((await triedBy(owner, 'ai', { ...PRODUCTION, AI_ALLOW_HOSTS })).ok).toBe(true);
  });
});

describe('mail', () => {
  const mailThrough = async (SMTP_URL: string) =>
    await triedBy(await newOwner(service), 'mail', { SMTP_URL, SMTP_FROM: 'muster@mail.example.org' });

  const tryMail = async (client: Awaited<ReturnType<typeof as>>) =>
    (await client.testSettings({ body: { target: 'mail' } }, { headers: { Prefer: 'wait=30' } }))
      .body as SettingsTest;

  test('goes to whoever tries it', async () => {
    const owner = await newOwner(service);
    const result = await tryMail(await as(owner));
    expect(result).toMatchObject({
      ok: true,
      detail: `The mail server took a message to ${owner.id}@example.org.`,
    });
    const received = mail.received.find(({ to }) => to.includes(`${owner.id}@example.org`));
    expect(received?.headers.subject).toEqual(['Mail from Muster works']);
  });

  test('a server that refuses the sender', async () => {
    const strict = await startMailServer({
      onMailFrom: (_address, _session, done) => done(Object.assign(new Error('no'), { responseCode: 550 })),
    });
    expect(await mailThrough(strict.url)).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/refused the sender/),
    });
    await strict.stop();
  });

  test('a server that refuses the password', async () => {
    const strict = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(new Error('Invalid password')),
    });
    const url = strict.url.replace('smtp://', `smtp://user:${KEY}@`);
    const result = await mailThrough(url);
    expect(result).toMatchObject({ ok: false, detail: expect.stringMatching(/user name or the password/) });
    expect(JSON.stringify(result)).not.toContain(KEY);
    await strict.stop();
  });

  test('nobody there, TLS that is none, and a host that does not exist', async () => {
    expect((await mailThrough(`smtp://127.0.0.1:${await freePort()}`)).detail).toMatch(/Nothing answers/);
    expect((await mailThrough(mail.url.replace('smtp:', 'smtps:'))).detail).toMatch(/safe connection/);
    expect((await mailThrough('smtp://mail.invalid')).detail).toMatch(/not found/);
  });

  test('a server that says nothing', async () => {
    const silent = createSocketServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    expect((await mailThrough(`smtp://127.0.0.1:${port}`)).detail).toMatch(/in time/);
    silent.close();
  }, 30_000);
});

describe('a try', () => {
  test('is kept for a day, for admins of the organization', async () => {
    const owner = await newOwner(service);
    const client = await as(owner);
    const { body, headers } = await client.testSettings({ body: { target: 'ai' } });
    const { id } = body as SettingsTest;
    expect(headers.get('location')).toBe(`/api/settings/test/${id}/`);
    expect((await client.getSettingsTest({ params: { id } })).body).toEqual(body);
    const viewer = await as(await newMember(service, owner.org, 'facilitator'));
    expect((await problemOf(viewer.getSettingsTest({ params: { id } }))).status).toBe(403);
    const stranger = await as(await newOwner(service));
    expect((await problemOf(stranger.getSettingsTest({ params: { id } }))).status).toBe(404);
  });

  test('is a job for those who do not wait', async () => {
    const client = await as(await newOwner(service));
    const { status, headers } = await client.testSettings(
      { body: { target: 'ai' } },
      { headers: { Prefer: 'respond-async' } },
    );
    expect(status).toBe(202);
    expect(headers.get('location')).toMatch(/^\/api\/jobs\//);
  });

  test('leaves the key nowhere', async () => {
    answer = json(401, { error: KEY });
    await tried({});
    await eventually(async () => expect(await everythingStored(service)).not.toContain(KEY));
  });

  test.each([{}, { target: 'webhook' }, { target: 'ai', url: 'http://x' }])('refuses %j', async (body) => {
    const client = await as(await newOwner(service));
    expect((await problemOf(client.testSettings({ body: body as never }))).status).toBe(422);
  });
});
