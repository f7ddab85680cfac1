import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, eventsApi } from '@muster/contracts';
import { startTestService, type TestService } from '@muster/testing';
import { securityOps } from '../src/service.ts';
import { deliverBytes } from './deliveries.ts';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** The part of it that begins and ends with these. */
function example(begin: string, end: string): string {
  const from = README.indexOf(begin);
  const to = README.indexOf(end, from);
  if (from === -1 || to === -1) throw new Error(`README.md has no example that begins with ${begin}`);
  return README.slice(from, to + end.length);
}

let service: TestService;
let events: Client<typeof eventsApi>;

beforeAll(async () => {
  service = await startTestService(securityOps);
  events = service.client(eventsApi);
});
afterAll(async () => service.stop());

test('what the README sends for Splunk is understood', async () => {
  const body = example('{"time": 1772357400.250', 'externalId=77"}');
  expect(await deliverBytes(events, body, 'application/json')).toMatchObject({ accepted: 2, rejected: [] });
  const { items } = (await events.listEvents()).body;
  expect(items).toMatchObject([
    { format: 'cef', title: 'Port scan', external_id: '77' },
    { format: 'native', severity: 'high', external_id: '4711', source: 'edr:alert' },
  ]);
});

test('what the README sends from Elastic is understood, alert for alert', async () => {
  const [, one = ''] = /\{\{#context\.alerts\}\}\n(.*?)\{\{\/context\.alerts\}\}/s.exec(README) ?? [];
  const alert = (at: number) =>
    Object.entries({
      '@timestamp': '2026-03-01T09:30:00.000Z',
      'kibana.alert.severity': 'low',
      'user.name': '',
    })
      .reduce((text, [name, value]) => text.replace(`{{${name}}}`, value), one)
      .replace(/\{\{([^}]+)\}\}/g, (_, name: string) => `${name} ${at}`);
  const body = alert(1) + alert(2);
  expect(await deliverBytes(events, body, 'application/json')).toMatchObject({ accepted: 2, rejected: [] });
  const { items } = (await events.listEvents({ query: { source: 'elastic' } })).body;
  expect(items).toMatchObject([
    {
      format: 'ecs',
      severity: 'low',
      title: 'kibana.alert.rule.name 2',
      external_id: 'kibana.alert.uuid 2',
      users: [],
    },
    { external_id: 'kibana.alert.uuid 1', assets: [{ name: 'host.name 1' }] },
  ]);
});

test('what the README sends from Sentinel is understood', async () => {
  const text = example('{\n  "title": "@{triggerBody()', '"@triggerBody()"\n}');
  const filled = text
    .replace(/"@\{toLower[^"]*\}"/, '"informational"')
    .replace(/"@\{[^"]*createdTimeUtc[^"]*\}"/, '"2026-03-01T09:30:00.1234567Z"')
    .replace('"@triggerBody()"', '{"object":{"id":"/subscriptions/1"}}')
    .replace(/"@\{[^"]*\}"/g, '"text"');
  const { status, body } = await events.ingestEvents({ body: JSON.parse(filled) });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    severity: 'informational',
    source: 'Microsoft Sentinel',
    occurred_at: '2026-03-01T09:30:00.123Z',
  });
});
