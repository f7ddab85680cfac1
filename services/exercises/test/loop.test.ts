import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { longestTurn, startTestService, type TestService } from '@muster/testing';
import { exercises } from '../src/service.ts';

// The largest scenarios, well meant and not: nobody else may wait for one of them.

const MOST_MS = 200;
const MEBIBYTE = 1024 * 1024;

let service: TestService;
beforeAll(async () => {
  service = await startTestService(exercises);
  await upload('a: [', 'yaml');
  await upload('{}', 'json');
});
afterAll(async () => service.stop());

const upload = (body: string, type: 'json' | 'yaml') =>
  service.fetch(`${service.url}/api/scenarios/`, {
    method: 'POST',
    headers: { 'content-type': `application/${type}` },
    body,
  });

const keys = Array.from({ length: 20_000 }, (_, at) => `key${at}`);

test.each<[string, 'json' | 'yaml', string]>([
  ['YAML with 20 000 keys', 'yaml', keys.map((key) => `${key}: v`).join('\n')],
  ['YAML of many brackets', 'yaml', '['.repeat(4 * MEBIBYTE)],
  ['YAML of many lists', 'yaml', `[${'[],'.repeat(MEBIBYTE)}]`],
  ['JSON with 20 000 keys', 'json', JSON.stringify(Object.fromEntries(keys.map((key) => [key, 1])))],
  ['JSON of many brackets', 'json', '['.repeat(4 * MEBIBYTE)],
  ['JSON of many lists', 'json', `[${'[],'.repeat(MEBIBYTE)}[]]`],
  ['JSON of one long text', 'json', JSON.stringify({ title: 'x'.repeat(4 * MEBIBYTE) })],
  [
    'JSON of as many values as there may be',
    'json',
    JSON.stringify({ title: 'x', stages: Array(190_000).fill({}) }),
  ],
])('%s', async (name, type, body) => {
  let status = 0;
  const held = await longestTurn(async () => {
    const answer = await upload(body, type);
    status = answer.status;
    await answer.arrayBuffer();
  }, MOST_MS);
  process.stderr.write(`${name}: ${held.toFixed(0)} ms, ${status}\n`);
  expect([400, 422]).toContain(status);
  expect(held).toBeLessThan(MOST_MS);
});
