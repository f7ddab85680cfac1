import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient, identityApi } from '@muster/contracts';
import { eventually, FORGERIES, freePort } from '@muster/testing';
import { type Identity, startIdentity } from './identity.fixture.ts';

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

  const client = createClient(identityApi, { baseUrl });
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

test('a start that cannot be says why in one line', async () => {
  const { ended } = run('main.ts', [], { MUSTER_MODE: 'production', KEY_ENCRYPTION_KEY: 'k1:change-me' });
  const { code, output } = await ended;
  expect(code).toBe(1);
  expect(output.trim().split('\n')).toEqual([
    expect.stringMatching(/^identity cannot start: .*KEY_ENCRYPTION_KEY/),
  ]);
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

test('an unknown command says what there is', async () => {
  expect(await run('keys.command.ts', ['turn']).ended).toEqual({
    code: 1,
    output: 'keys: say what to do: npm run keys -- list | rotate\n',
  });
});
