import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { signingKey } from './key.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-key-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('a key is kept for its owner alone, and found again', async () => {
  const file = join(folder, 'kept', 'key.json');
  const key = await signingKey(file);
  expect(key).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig', d: expect.any(String) });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await signingKey(file)).toEqual(key);
});

test('without a file each start has its own', async () => {
  expect((await signingKey()).n).not.toBe((await signingKey()).n);
});

test('a damaged file is told', async () => {
  const file = join(folder, 'damaged.json');
  await writeFile(file, '{');
  await expect(signingKey(file)).rejects.toThrow('is damaged: remove it to start with a new key');
});
