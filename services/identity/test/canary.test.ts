import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditApi, createClient, membersApi, settingsApi } from '@muster/contracts';
import { freePort } from '@muster/devstack';
import { eventually, fetchAsGateway, problemOf } from '@muster/testing';
import { Redis } from 'ioredis';
import { v7 } from 'uuid';
import { everythingStored, type Identity, startIdentity } from './identity.fixture.ts';
import { type MailServer, startMailServer } from './mail.fixture.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const KEY = 'canary-ai-2b6f0d94a1';
const PASSWORD = 'canary-mail-93c1e77d05';
/** Prepares and clears the engines; it neither answers nor works. */
let stand: Identity;
let mail: MailServer;
let provider: Server;

beforeAll(async () => {
  // Refuses some, repeating a secret, so that errors are logged as well.
  mail = await startMailServer({
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(null, { user: 'muster' }),
    onRcptTo({ address }, _session, done) {
      done(address.startsWith('refused') ? new Error(`no ${PASSWORD}`) : null);
    },
  });
  provider = createServer((request, response) => {
    request.resume();
    response.writeHead(401).end(`You sent ${request.headers.authorization}`);
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  stand = await startIdentity({ ROLE: 'api' });
});
afterAll(async () => {
  await stand?.stop();
  await mail?.stop();
  provider?.close();
});

/** Identity as a process of its own that writes down all that it does. */
async function talkative() {
  const SERVICE_PORT = String(await freePort());
  const url = `http://127.0.0.1:${SERVICE_PORT}`;
  const SMTP_URL = mail.url.replace('smtp://', `smtp://muster:${PASSWORD}@`);
  const variables = {
    SERVICE_PORT,
    SMTP_URL,
    SMTP_FROM: 'muster@example.org',
    LOG_LEVEL: 'trace',
    ROLE: 'all',
  };
  const child = spawn(process.execPath, [MAIN], { env: { ...stand.env, ...variables } });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      log += chunk;
    });
  }
  const ended = once(child, 'close');
  await eventually(async () => expect((await fetch(`${url}/ready`)).status).toBe(200), 30_000);
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      return log;
    },
  };
}

/** All that Redis holds under the service's prefix. */
async function everythingQueued(): Promise<string> {
  const redis = new Redis(stand.env.REDIS_URL ?? '');
  try {
    const texts: unknown[] = [];
    for (const key of await redis.keys(`${stand.env.REDIS_PREFIX}*`)) {
      const type = await redis.type(key);
      if (type === 'hash') texts.push(key, await redis.hgetall(key));
      if (type === 'string') texts.push(key, await redis.get(key));
      if (type === 'list') texts.push(key, await redis.lrange(key, 0, -1));
      if (type === 'zset') texts.push(key, await redis.zrange(key, '0', '-1'));
      if (type === 'stream') texts.push(key, await redis.xrange(key, '-', '+'));
    }
    return JSON.stringify(texts);
  } finally {
    redis.disconnect();
  }
}

test('secrets in settings, variables and invitations are in no log, answer, queue or document', async () => {
  const running = await talkative();
  const options = { baseUrl: running.url, fetch: fetchAsGateway() };
  const settings = createClient(settingsApi, options);
  const members = createClient(membersApi, options);
  const base_url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
  const ai = { provider: 'openai_compatible', base_url, model: 'm', api_key: KEY } as const;
  const answers: unknown[] = [];
  const ask = async (call: Promise<{ body: unknown }>) => {
    answers.push((await call).body);
  };

  await ask(settings.updateSettings({ body: { ai } }));
  await ask(settings.getSettings());
  const bad = { ai: { ...ai, provider: 'other' as never } };
  answers.push((await problemOf(settings.updateSettings({ body: bad }))).problem);
  for (const target of ['ai', 'mail'] as const) await ask(settings.testSettings({ body: { target } }));
  const email = `${v7()}@example.com`;
  await ask(
    members.inviteMember({ body: { email, role: 'viewer' } }, { headers: { 'Idempotency-Key': 'k' } }),
  );
  await ask(members.inviteMember({ body: { email: `refused-${email}`, role: 'viewer' } }));
  const token = await eventually(() => {
    const received = mail.received.find(({ to }) => to.includes(email));
    const secret = /token=[0-9a-f-]{36}\.([\w-]{43})/.exec(received?.text ?? '')?.[1];
    if (secret === undefined) throw new Error('no mail yet');
    return secret;
  });
  await eventually(async () => {
    const { items } = (await createClient(auditApi, options).listAudit()).body;
    expect(items.some(({ action }) => action === 'settings.updated')).toBe(true);
    answers.push(items);
  });
  await eventually(async () => expect(await everythingQueued()).toContain('invite-mail'));
  const [stored, queued] = [await everythingStored(stand), await everythingQueued()];
  const log = await running.stop();

  expect(log).toContain('"ready"');
  for (const secret of [KEY, PASSWORD, token]) {
    for (const [where, text] of Object.entries({ log, stored, queued, answers: JSON.stringify(answers) }))
      expect([where, text.includes(secret)]).toEqual([where, false]);
  }
});
