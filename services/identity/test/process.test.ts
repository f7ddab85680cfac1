import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient, identityApi } from '@muster/contracts';
import { freePort } from '@muster/devstack';
import { SHARED_ORG } from '@muster/service-kit';
import { eventually, FORGERIES, fetchAsGateway } from '@muster/testing';
import { signingKeys } from '../src/keys/key.model.ts';
import { publishedKeys } from '../src/keys/key.service.ts';
import {
  type Identity,
  inside,
  newKeyEncryptionKey,
  startIdentity,
  startReplica,
} from './identity.fixture.ts';

const SOURCE = new URL('../src/', import.meta.url);
let service: Identity;

beforeAll(async () => {
  service = await startIdentity();
});
afterAll(async () => {
  await service?.stop();
});

/** Runs a program of this service as its own process, on the test's engines. */
function run(program: string, args: string[] = [], variables: Record<string, string> = {}) {
  const env = { ...service.env, LOG_LEVEL: 'trace', ...variables };
  const child = spawn(process.execPath, [fileURLToPath(new URL(program, SOURCE)), ...args], { env });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
  return { child, ended };
}

test('what it writes to its log at its most talkative holds no secret; told to stop, it ends with 0', async () => {
  const SERVICE_PORT = String(await freePort());
  const { child, ended } = run('main.ts', [], { SERVICE_PORT });
  const baseUrl = `http://127.0.0.1:${SERVICE_PORT}`;
  await eventually(async () => expect((await fetch(`${baseUrl}/ready`)).status).toBe(200), 30_000);

  const client = createClient(identityApi, { baseUrl, fetch: fetchAsGateway() });
  const { token, id } = (await client.createToken({ body: { name: 'logged?' } })).body;
  await createClient(identityApi, { baseUrl, token }).getMe();
  const forged = FORGERIES['a shortened signature']?.(service.tokens) ?? '';
  await expect(createClient(identityApi, { baseUrl, token: forged }).getMe()).rejects.toMatchObject({
    status: 401,
  });
  await client.revokeToken({ params: { id } });
  child.kill('SIGTERM');

  const { code, output } = await ended;
  expect(code).toBe(0);
  expect(output).toContain('ready');
  const secrets = [
    token.split('.')[2] ?? '',
    forged.split('.')[1] ?? '',
    service.env.KEY_ENCRYPTION_KEY?.split(':')[1] ?? '',
    service.env.SERVICE_SECRET ?? '',
    'PRIVATE KEY',
  ];
  for (const secret of secrets) {
    expect(secret).not.toBe('');
    expect(output).not.toContain(secret);
  }
});

describe('a start that cannot be says why in one line', () => {
  async function expectRefused(variables: Record<string, string>, reason: RegExp): Promise<void> {
    const { code, output } = await run('main.ts', [], { SERVICE_PORT: '0', ...variables }).ended;
    const lines = output.trim().split('\n');
    expect(lines.filter((line) => !line.startsWith('{'))).toEqual([expect.stringMatching(reason)]);
    expect(code).toBe(1);
  }

  test('production with a placeholder for a key', async () => {
    const KEY_ENCRYPTION_KEY = `k1:${Buffer.alloc(32).toString('base64')}`;
    await expectRefused(
      { MUSTER_MODE: 'production', PUBLIC_ORIGIN: 'https://muster.example.org', KEY_ENCRYPTION_KEY },
      /^identity cannot start: .*KEY_ENCRYPTION_KEY .*placeholder/,
    );
  });

  test('the key-encryption key that sealed the signing keys is not there', async () => {
    const KEY_ENCRYPTION_KEY = newKeyEncryptionKey().replace('test:', 'other:');
    await expectRefused(
      { KEY_ENCRYPTION_KEY },
      /^identity cannot start: KEY_ENCRYPTION_KEY does not open the signing key \S+: put the key "test"/,
    );
  });

  test('its name is there, but it is another key', async () => {
    await expectRefused({ KEY_ENCRYPTION_KEY: newKeyEncryptionKey() }, /does not open the signing key/);
  });

  test('private keys were moved to other key ids', async () => {
    const MONGODB_DB = `${service.env.MONGODB_DB}_moved`;
    const first = await startReplica(service, { MONGODB_DB });
    try {
      const ctx = inside(first, SHARED_ORG);
      const [one, other] = await publishedKeys(ctx);
      await signingKeys(ctx).updateOne({ _id: one?._id }, { $set: { private_key: other?.private_key } });
      await expectRefused({ MONGODB_DB }, /does not open the signing key/);
    } finally {
      await first.runtime.connection.dropDatabase();
      await first.stop();
    }
  });
});

test('keys list shows the keys, keys rotate says what became of them', async () => {
  const before = await run('keys.command.ts', ['list']).ended;
  const kids = (await service.client(identityApi).getJwks()).body.keys.map((key) => key.kid);
  expect(before.code).toBe(0);
  for (const kid of kids) expect(before.output).toContain(kid);

  const rotated = await run('keys.command.ts', ['rotate']).ended;
  expect(rotated.code).toBe(0);
  for (const kid of kids) expect(rotated.output).toContain(kid);

  const after = await run('keys.command.ts', ['list']).ended;
  const states = after.output
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/)[1]);
  expect(states.toSorted()).toEqual(['active', 'next', 'retired']);

  const tooSoon = await run('keys.command.ts', ['rotate']).ended;
  expect(tooSoon).toEqual({ code: 1, output: expect.stringMatching(/^keys: .*rotate again in \d+ s\.\n$/) });
});

test('keys distrust says what is gone, keys reseal how much it did', async () => {
  const [distrusted, other] = (await publishedKeys(inside(service, SHARED_ORG))).map((key) => key._id);
  const gone = await run('keys.command.ts', ['distrust', distrusted ?? '']).ended;
  expect(gone).toEqual({ code: 0, output: expect.stringMatching(/ is gone: .* signs\.\n$/s) });
  const listed = await run('keys.command.ts', ['list']).ended;
  expect(listed.output).not.toContain(distrusted);
  expect(listed.output).toContain(other);
  expect(await run('keys.command.ts', ['distrust', distrusted ?? '']).ended).toEqual({
    code: 1,
    output: `keys: There is no signing key ${distrusted}: see npm run keys -- list\n`,
  });

  const KEY_ENCRYPTION_KEY = `${newKeyEncryptionKey().replace('test:', 'newest:')},${service.env.KEY_ENCRYPTION_KEY}`;
  const resealed = await run('keys.command.ts', ['reseal'], { KEY_ENCRYPTION_KEY }).ended;
  expect(resealed).toEqual({ code: 0, output: expect.stringMatching(/"newest".*2 signing keys and /s) });
  const again = await run('keys.command.ts', ['reseal'], { KEY_ENCRYPTION_KEY }).ended;
  expect(again).toEqual({
    code: 0,
    output: expect.stringMatching(/\n0 signing keys and the settings of 0 /),
  });
});

test('an unknown command says what there is', async () => {
  expect(await run('keys.command.ts', ['turn']).ended).toEqual({
    code: 1,
    output: 'keys: say what to do: npm run keys -- list | rotate | distrust <key id> | reseal\n',
  });
  expect((await run('keys.command.ts', ['distrust']).ended).output).toContain('distrust <key id>');
});
