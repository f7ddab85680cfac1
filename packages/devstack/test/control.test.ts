import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ask, type Claim, claim, type Handlers } from '../src/control/control.ts';

let root = '';
let claims: (Claim | undefined)[] = [];
const quiet: Handlers = { status: () => ({ url: 'http://here' }), act: async () => ({}) };

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'muster-control-'));
  claims = [];
});
afterEach(async () => {
  for (const held of claims) await held?.release();
  rmSync(root, { recursive: true });
});

async function take(checkout = root, handlers = quiet): Promise<Claim | undefined> {
  const held = await claim(checkout, 'start', handlers);
  claims.push(held);
  return held;
}

test('of many who claim a name at once, one gets it, and the others can ask it', async () => {
  const held = await Promise.all(Array.from({ length: 8 }, () => take()));
  expect(held.filter((one) => one !== undefined)).toHaveLength(1);
  expect(await ask(root, 'start')).toEqual({ url: 'http://here' });
});

test('a name that was released, or whose holder is gone, can be claimed', async () => {
  await (await take())?.release();
  claims = [];
  mkdirSync(join(root, '.muster', 'run'), { recursive: true });
  writeFileSync(join(root, '.muster', 'run', 'start.json'), '{"pid":1,"port":1,"token":"gone"}');
  expect(await ask(root, 'start')).toBeUndefined();
  expect(await take()).toBeDefined();
});

test('two checkouts hold the same name side by side', async () => {
  expect(await take()).toBeDefined();
  expect(await take(join(root, 'other'))).toBeDefined();
});

test('only who may read the address may ask', async () => {
  await take();
  expect(statSync(join(root, '.muster', 'run', 'start.json')).mode & 0o077).toBe(0);
  writeFileSync(
    join(root, '.muster', 'run', 'start.json'),
    JSON.stringify({ ...readAddress(), token: 'guessed' }),
  );
  expect(await ask(root, 'start')).toBeUndefined();
});

test('the directory that holds it is its owner’s, also where it stood open before', async () => {
  mkdirSync(join(root, '.muster'), { mode: 0o755 });
  await take();
  expect(statSync(join(root, '.muster')).mode & 0o077).toBe(0);
});

test('what an action fails with reaches who asked', async () => {
  const act = async (action: string) => {
    if (action !== 'stop') throw new Error(`cannot ${action}`);
    return { done: true };
  };
  await take(root, { ...quiet, act });
  expect(await ask(root, 'start', 'stop')).toEqual({ done: true });
  await expect(ask(root, 'start', 'fly')).rejects.toThrow('cannot fly');
});

function readAddress(): object {
  return JSON.parse(readFileSync(join(root, '.muster', 'run', 'start.json'), 'utf8'));
}
