import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  coverageApi,
  eventsReceived,
  intelItemIngested,
  intelItemRemoved,
  navigatorLayer,
  operationCompleted,
  operationsApi,
  sessionCompleted,
} from '@muster/contracts';
import { eventually, publishEvent, startTestService, type TestService } from '@muster/testing';
import { v7 } from 'uuid';
import { securityOps } from '../src/service.ts';
import { operationBody } from './operation.fixtures.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService(securityOps);
  // Until its queue is bound, what is published here would reach the other services' queues only.
  await eventually(() => expect(service.runtime.messaging.health().amqp.status).toBe('ok'));
});
afterAll(async () => service.stop());

/** One organization: what others tell of it, and what its coverage says. */
function organization(org = v7()) {
  const token = service.tokens.sign({ org });
  const client = service.client(coverageApi, token);
  const amqp = service.env.AMQP_URL ?? '';
  const read = async (query: NonNullable<Parameters<typeof client.getCoverage>[0]>['query'] = {}) =>
    (await client.getCoverage({ query })).body;
  return {
    org,
    client,
    read,
    operations: service.client(operationsApi, token),
    of: async (technique: string) => (await read()).items.find((item) => item.technique === technique),
    exercised: (session_id: string, seq: number, ended_at: string, techniques: string[], id = v7()) =>
      publishEvent(amqp, sessionCompleted, {
        org,
        subject: session_id,
        seq,
        id,
        data: { ...sessionCompleted.data.parse(sessionCompleted.example), session_id, ended_at, techniques },
      }),
    wanted: (item_id: string, seq: number, techniques: string[]) =>
      publishEvent(amqp, intelItemIngested, {
        org,
        subject: item_id,
        seq,
        data: {
          ...intelItemIngested.data.parse(intelItemIngested.example),
          item_id,
          techniques: techniques.map((id) => ({ id, name: 'as the source calls it' })),
        },
      }),
    unwanted: (item_id: string, seq: number) =>
      publishEvent(amqp, intelItemRemoved, { org, subject: item_id, seq, data: { item_id } }),
    seen: (techniques: Record<string, number>, id = v7()) =>
      publishEvent(amqp, eventsReceived, {
        org,
        subject: v7(),
        seq: 1,
        id,
        data: { ...eventsReceived.data.parse(eventsReceived.example), techniques },
      }),
  };
}

test('puts side by side what was talked through, proved, seen and wanted', async () => {
  const us = organization();
  expect(await us.read()).toMatchObject({ items: [], total: 0, by_state: { proved: 0 } });
  await us.exercised(v7(), 1, '2026-02-01T10:00:00Z', ['T1003', 'T1490', 'T1486']);
  await us.wanted(v7(), 1, ['T1003', 'T1078']);
  await us.seen({ T1110: 3, T1078: 1, T9999: 5 });
  await us.operations.createOperation({ body: operationBody({ status: 'completed' }) });

  const coverage = await eventually(async () => {
    const now = await us.read();
    expect(now.total).toBe(7);
    return now;
  });
  const states = Object.fromEntries(
    coverage.items.map((item) => [item.technique, [item.state, item.priority]]),
  );
  expect(states).toEqual({
    T1486: ['proved', 0],
    'T1566.001': ['proved', 0],
    'T1059.001': ['missed', 20],
    T1490: ['talked_through', 12],
    T1003: ['talked_through', 42],
    T1078: ['wanted', 100],
    T1110: ['seen', 45],
  });
  expect(coverage.items[0]?.technique).toBe('T1078');
  expect(coverage.by_state).toEqual({
    missed: 1,
    wanted: 1,
    seen: 1,
    talked_through: 2,
    logged: 0,
    proved: 2,
  });
  expect(await us.of('T1486')).toMatchObject({
    name: 'Data Encrypted for Impact',
    tactics: ['impact'],
    domain: 'enterprise',
    exercised: { count: 1, at: '2026-02-01T10:00:00.000Z' },
    proved: { count: 1, result: 'prevented', at: '2026-03-01T09:00:00.000Z', title: 'Ransomware rehearsal' },
    seen: null,
    wanted: null,
  });
  expect((await us.read({ state: 'wanted' })).items.map(({ technique }) => technique)).toEqual(['T1078']);

  const layer = navigatorLayer.parse((await us.client.getCoverageLayer()).body);
  expect(layer.techniques).toHaveLength(7);
  expect(layer.techniques[0]).toMatchObject({ techniqueID: 'T1078', color: '#d73027', enabled: true });
  expect(layer.techniques[0]?.comment).toContain('Never talked through');
  expect(new Set(layer.legendItems.map(({ color }) => color))).toEqual(
    new Set([...new Set(layer.techniques.map(({ color }) => color)), '#d9ef8b']),
  );
  expect((await us.client.getCoverageLayer({ query: { domain: 'ics' } })).body.techniques).toEqual([]);
});

test('repeated and older events change nothing; a change takes back what no longer holds', async () => {
  const us = organization();
  const [session, item, event] = [v7(), v7(), v7()];
  await us.exercised(session, 2, '2026-02-02T10:00:00Z', ['T1486']);
  await us.exercised(session, 1, '2026-02-01T10:00:00Z', ['T1003']);
  await us.exercised(session, 2, '2026-02-02T10:00:00Z', ['T1486'], event);
  await us.exercised(session, 2, '2026-02-02T10:00:00Z', ['T1486'], event);
  await us.exercised(v7(), 1, '2026-01-01T10:00:00Z', ['T1486']);
  const batch = v7();
  await us.seen({ T1486: 4 }, batch);
  await us.seen({ T1486: 4 }, batch);
  await us.wanted(item, 1, ['T1078', 'T1110']);
  await eventually(async () => {
    expect(await us.of('T1110')).toBeDefined();
    expect(await us.of('T1486')).toMatchObject({
      exercised: { count: 2, at: '2026-02-02T10:00:00.000Z' },
      seen: { count: 4 },
    });
  });
  expect(await us.of('T1003')).toBeUndefined();

  await us.wanted(item, 2, ['T1110']);
  await eventually(async () => expect(await us.of('T1078')).toBeUndefined());
  expect(await us.of('T1110')).toMatchObject({ wanted: { count: 1 } });
  await us.unwanted(item, 3);
  await us.wanted(item, 2, ['T1110']);
  // An organization's events are taken in their order: when this one shows, those before it have been.
  await us.seen({ T1490: 1 });
  await eventually(async () => expect(await us.of('T1490')).toBeDefined());
  expect(await us.of('T1110')).toBeUndefined();
});

test('the last operation to test a technique decides; when it is deleted, the one before does', async () => {
  const us = organization();
  const run = async (day: string, prevented: boolean) => {
    const techniques = [
      { technique: 'T1486', red: { executed_at: `${day}T09:00:00Z` }, blue: { prevented } },
    ];
    const body = operationBody({ name: day, status: 'completed', techniques });
    return (await us.operations.createOperation({ body })).body.id;
  };
  const result = async () => (await us.of('T1486'))?.proved;
  const later = await run('2026-03-02', true);
  await run('2026-03-01', false);
  await eventually(async () =>
    expect(await result()).toMatchObject({ count: 2, result: 'prevented', ref: later }),
  );
  await us.operations.deleteOperation({ params: { id: later } });
  await eventually(async () =>
    expect(await result()).toMatchObject({ count: 1, result: 'missed', title: '2026-03-01' }),
  );
});

test('what is planned or running proves nothing, and nothing is seen of another organization', async () => {
  const [us, them] = [organization(), organization()];
  await us.operations.createOperation({ body: operationBody({ status: 'running' }) });
  await us.exercised(v7(), 1, '2026-02-01T10:00:00Z', ['T1490', 'T1086']);
  await them.exercised(v7(), 1, '2026-02-01T10:00:00Z', ['T1490']);
  await eventually(async () => expect((await us.read()).total).toBe(2));
  await eventually(async () => expect((await them.read()).total).toBe(1));
  expect(await us.of('T1059.001')).toMatchObject({ state: 'talked_through', proved: null });
  expect(await them.of('T1490')).toMatchObject({ exercised: { count: 1 } });
});

test('a forged result for a technique that ATT&CK does not know leaves no trace', async () => {
  const us = organization();
  const operation_id = v7();
  const [first] = operationCompleted.example.techniques;
  const techniques = [
    { ...first, technique: 'T9999', result: 'prevented' as const },
    { ...first, technique: 'T1486', result: 'prevented' as const },
    { ...first, technique: 'T1486', result: 'missed' as const },
  ];
  await publishEvent(service.env.AMQP_URL ?? '', operationCompleted, {
    org: us.org,
    subject: operation_id,
    seq: 1,
    data: { ...operationCompleted.data.parse(operationCompleted.example), operation_id, techniques },
  });
  await eventually(async () => expect((await us.read()).total).toBe(1));
  // Of several tries the worst says what holds.
  expect(await us.of('T1486')).toMatchObject({ state: 'missed' });
});
