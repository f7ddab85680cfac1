import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, startTestService, type TestService } from '@muster/testing';
import { securityOps } from '../src/service.ts';
import { asLines, deliverBytes, nativeEvent, numbered, organizationOf, told } from './deliveries.ts';

let service: TestService;
const organization = () => organizationOf(service);

beforeAll(async () => {
  service = await startTestService(securityOps);
});
afterAll(async () => service.stop());

describe('what comes twice', () => {
  test('in one batch and in the next is stored once', async () => {
    const { events, id } = organization();
    const batch = asLines([...numbered(50), ...numbered(60)]);
    expect(await deliverBytes(events, batch)).toMatchObject({ accepted: 60, duplicates: 50 });
    expect(await deliverBytes(events, batch)).toMatchObject({ accepted: 0, duplicates: 110, ids: [] });
    expect((await told(service, id)).length).toBe(1);
  });

  test('in batches that race is stored once, and nothing of any is lost', async () => {
    const { events, id } = organization();
    const batches = [0, 1, 2, 3].map((at) => asLines(numbered(1_500).slice(at * 250, at * 250 + 750)));
    const results = await Promise.all(batches.map((batch) => deliverBytes(events, batch)));
    expect(results.map(({ accepted, duplicates }) => accepted + duplicates)).toEqual([750, 750, 750, 750]);
    expect(results.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(1_500);
    expect((await events.listEvents({ query: { limit: 1 } })).body.total).toBe(1_500);
    expect((await told(service, id)).reduce((sum, { count }) => sum + count, 0)).toBe(1_500);
  });

  test('as single events that race is stored once', async () => {
    const { events } = organization();
    const body = nativeEvent({ external_id: 'raced' });
    const answers = await Promise.all(Array.from({ length: 8 }, () => events.ingestEvents({ body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    expect((await events.listEvents()).body.total).toBe(1);
  });

  test('under one Idempotency-Key answers what was answered, ids and all', async () => {
    const { events } = organization();
    const send = () =>
      deliverBytes(events, asLines(numbered(20)), 'application/x-ndjson', {
        headers: { 'idempotency-key': 'b-1' },
      });
    const first = await send();
    expect(first.ids.length).toBe(20);
    expect(await send()).toEqual(first);
  });
});

test('many single events at once are all taken, and counted in few rows', async () => {
  const { events, id: org_id } = organization();
  const sent = numbered(120).map((body) => events.ingestEvents({ body }));
  expect((await Promise.all(sent)).every(({ status }) => status === 201)).toBe(true);
  const total = async () => (await events.listEvents({ query: { limit: 1 } })).body.total;
  expect(await total()).toBe(120);
  const rows = service.runtime.connection.collection('event_tallies');
  await eventually(async () => expect(await rows.countDocuments({ org_id })).toBeLessThan(60));
  expect(await total()).toBe(120);
  expect((await events.listEvents({ query: { limit: 1, severity: 'critical' } })).body.total).toBe(2);
});
