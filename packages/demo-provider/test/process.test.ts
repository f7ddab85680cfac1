import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { freePort } from '../../devstack/src/index.ts';
import { PROVIDER_PROGRAM } from '../src/index.ts';

function run(variables: Record<string, string>) {
  const child = spawn(process.execPath, [PROVIDER_PROGRAM], {
    env: variables,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { child, out: text(child.stdout), err: text(child.stderr), exit: once(child, 'exit') };
}

test('it starts with one line, warns of nothing, and ends when it is asked to', async () => {
  const issuer = `http://127.0.0.1:${await freePort()}`;
  const { child, out, err, exit } = run({
    ISSUER: issuer,
    NAME: 'Demo provider A',
    CLIENT_ID: 'muster',
    CLIENT_SECRET: 'sixteen characters',
    REDIRECT_URIS: 'http://127.0.0.1:9/callback',
  });
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect([await out, await err]).toEqual([`Demo provider A listens at ${issuer}\n`, '']);
});

test('it refuses to start with one line that names what is missing', async () => {
  const { err, exit } = run({ ISSUER: 'http://0.0.0.0:20999' });
  expect((await exit)[0]).toBe(1);
  expect(await err).toMatch(/^Error: These variables are missing or wrong: ISSUER .*, CLIENT_ID .*\n$/);
});
