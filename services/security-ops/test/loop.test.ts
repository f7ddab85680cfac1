import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { EVENT_LIMITS } from '@muster/contracts';
import { longestTurn, startTestService, type TestService } from '@muster/testing';
import { securityOps } from '../src/service.ts';
import { deliverBytes, nativeEvent, numbered, organizationOf } from './deliveries.ts';

// The largest deliveries, well meant and not: nobody else may wait for one of them.

const MOST_MS = 200;
const HALF = EVENT_LIMITS.batchBytes / 2;

let service: TestService;
beforeAll(async () => {
  service = await startTestService(securityOps);
  await deliverBytes(organizationOf(service).events, JSON.stringify(nativeEvent()));
});
afterAll(async () => service.stop());

const full = (line: string) =>
  `${line}\n`.repeat(Math.floor((EVENT_LIMITS.batchBytes - 1000) / (line.length + 1)));
const long = 'a-'.repeat(30_000);
const wide = Object.fromEntries(Array.from({ length: 6_000 }, (_, at) => [`k${at}`, at]));

test.each([
  [
    'ten thousand events',
    numbered(EVENT_LIMITS.batch)
      .map((one) => JSON.stringify({ ...one, raw: 'x'.repeat(700) }))
      .join('\n'),
  ],
  ['long lines of CEF', full(`CEF:0|v|p|1|100|name|5|msg=${long}`)],
  ['wide events of ECS', full(JSON.stringify({ '@timestamp': '2026-03-01T09:30:00Z', labels: wide }))],
  ['one line', `{"title":"${'x'.repeat(HALF)}"}`],
  ['a line of brackets', '['.repeat(HALF)],
  ['short lines that are none', full('x').slice(0, 19_000)],
])('%s hold the loop for less than 200 ms', async (_name, body) => {
  const deliver = () => deliverBytes(organizationOf(service).events, body).catch(() => undefined);
  const held = await longestTurn(deliver, MOST_MS);
  process.stderr.write(`${_name}: ${held.toFixed(0)} ms\n`);
  expect(held).toBeLessThan(MOST_MS);
});

test.each([
  ['an array', `[${'{},'.repeat(2_000_000)}{}]`],
  ['one object', `{"title":"x","raw":[${'[],'.repeat(2_000_000)}[]]}`],
  ['an object without an end', '{"a":'.repeat(1_500_000)],
])('%s of JSON holds it for less than 200 ms', async (_name, body) => {
  const deliver = () =>
    deliverBytes(organizationOf(service).events, body, 'application/json').catch(() => undefined);
  const held = await longestTurn(deliver, MOST_MS);
  process.stderr.write(`${_name}: ${held.toFixed(0)} ms\n`);
  expect(held).toBeLessThan(MOST_MS);
});
