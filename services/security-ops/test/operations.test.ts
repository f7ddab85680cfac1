import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TECHNIQUES } from '@muster/attack';
import { type Client, EXAMPLE_ID, navigatorLayer, operationsApi } from '@muster/contracts';
import { problemOf, startTestService, type TestService } from '@muster/testing';
import { v7 } from 'uuid';
import { securityOps } from '../src/service.ts';
import { type OperationBody, operationBody } from './operation.fixtures.ts';

let service: TestService;
let operations: Client<typeof operationsApi>;

beforeAll(async () => {
  service = await startTestService(securityOps);
  operations = service.client(operationsApi);
});
afterAll(async () => service.stop());

const create = async (changes?: Partial<OperationBody>) =>
  (await operations.createOperation({ body: operationBody(changes) })).body;
const update = (id: string, body: OperationBody, etag?: string) =>
  operations.updateOperation({ params: { id }, body }, etag ? { headers: { 'if-match': etag } } : {});

test('derives results and metrics, and reads back as it was answered', async () => {
  const answer = await operations.createOperation({ body: operationBody() });
  expect(answer.status).toBe(201);
  expect(answer.headers.get('location')).toBe(`/api/operations/${answer.body.id}/`);
  expect(answer.body.techniques.map(({ result }) => result)).toEqual([
    'prevented',
    'detected',
    'missed',
    'not_run',
  ]);
  expect(answer.body).toMatchObject({
    status: 'planned',
    started_at: null,
    metrics: {
      executed: 3,
      prevented: 1,
      detected: 1,
      detection_rate: 0.3333,
      prevention_rate: 0.3333,
      mean_minutes_to_detect: 12,
    },
  });
  const read = await operations.getOperation({ params: { id: answer.body.id } });
  expect(read.body).toEqual(answer.body);
  expect(read.headers.get('etag')).toBe('"1"');
});

test('keeps a revoked technique under the id that took its place, and gives nothing rates without executions', async () => {
  const { techniques, metrics, id } = await create({ techniques: [{ technique: 'T1086' }] });
  expect(techniques[0]).toMatchObject({ technique: 'T1059.001', name: 'PowerShell', result: 'not_run' });
  expect(metrics).toEqual({
    executed: 0,
    prevented: 0,
    detected: 0,
    detection_rate: null,
    prevention_rate: null,
    mean_minutes_to_detect: null,
  });
  const { body } = await operations.listOperations({ query: { technique: 'T1086' } });
  expect(body.items.map((item) => item.id)).toContain(id);
});

describe('statuses', () => {
  test('go from planned to running to completed, with times that follow from what was noted', async () => {
    const { id } = await create();
    const running = await update(id, operationBody({ status: 'running' }));
    expect(running.body).toMatchObject({
      status: 'running',
      started_at: '2026-03-01T09:00:00.000Z',
      version: 2,
    });
    const completed = await update(id, operationBody({ status: 'completed' }));
    expect(completed.body).toMatchObject({
      status: 'completed',
      version: 3,
      started_at: '2026-03-01T09:00:00.000Z',
      ended_at: '2026-03-01T10:00:00.000Z',
    });
    const after = await problemOf(update(id, operationBody({ status: 'completed', name: 'Other' })));
    expect(after).toMatchObject({ status: 409 });
  });

  test.each([
    ['planned', 'completed'],
    ['running', 'planned'],
  ] as const)('never from %s to %s', async (from, to) => {
    const { id } = await create({ status: from });
    const problem = await problemOf(update(id, operationBody({ status: to })));
    expect(problem.status).toBe(409);
    expect(problem.problem.detail).toContain('planned to running to completed');
    expect((await operations.getOperation({ params: { id } })).body.status).toBe(from);
  });
});

test('what was read can be sent back; an older version is refused, also for deleting', async () => {
  const first = await create();
  const { body: sent } = await operations.getOperation({ params: { id: first.id } });
  const back = await update(first.id, sent, '"1"');
  expect(back.body).toEqual({ ...first, version: 2, updated_at: back.body.updated_at });
  expect(await problemOf(update(first.id, sent, '"1"'))).toMatchObject({ status: 412 });
  const params = { id: first.id };
  const stale = operations.deleteOperation({ params }, { headers: { 'if-match': '"1"' } });
  expect(await problemOf(stale)).toMatchObject({ status: 412 });
  expect((await operations.deleteOperation({ params })).status).toBe(204);
  expect(await problemOf(operations.getOperation({ params }))).toMatchObject({ status: 404 });
});

test('lists page by page and by status, technique with its sub-techniques, words and times', async () => {
  const client = service.client(operationsApi, service.tokens.sign({ org: v7() }));
  const add = async (changes: Partial<OperationBody>) =>
    (await client.createOperation({ body: operationBody(changes) })).body.id;
  const one = await add({ name: 'Élan exercise', objective: 'Backup server', techniques: [] });
  const two = await add({ name: 'Second', status: 'running', started_at: '2026-01-05T00:00:00Z' });
  const three = await add({
    name: 'Third',
    status: 'running',
    started_at: '2026-02-05T00:00:00Z',
    techniques: [],
  });
  const found = async (query: NonNullable<Parameters<typeof client.listOperations>[0]>['query']) =>
    (await client.listOperations({ query })).body.items.map(({ id }) => id);
  expect(await found({})).toEqual([three, two, one]);
  expect(await found({ status: 'running' })).toEqual([three, two]);
  expect(await found({ technique: 'T1059' })).toEqual([two]);
  expect(await found({ technique: 'T1566.002' })).toEqual([]);
  expect(await found({ q: 'BACKUP élan' })).toEqual([one]);
  expect(await found({ q: 'backup third' })).toEqual([]);
  expect(await found({ q: '$where' })).toEqual([]);
  expect(await found({ from: '2026-01-05T00:00:00Z', to: '2026-02-05T00:00:00Z' })).toEqual([two]);
  const { body: first } = await client.listOperations({ query: { limit: 2 } });
  expect(first).toMatchObject({ total: 3, next_cursor: expect.any(String) });
  expect(first.items[0]).toMatchObject({ techniques_count: 0, metrics: { executed: 0 } });
  expect(await found({ limit: 2, cursor: first.next_cursor ?? '' })).toEqual([one]);
});

test('another organization sees none of it, a viewer changes none of it', async () => {
  const { id } = await create();
  const stranger = service.client(operationsApi, service.tokens.sign({ org: v7() }));
  const params = { id };
  for (const call of [
    stranger.getOperation({ params }),
    stranger.getOperationLayer({ params }),
    stranger.updateOperation({ params, body: operationBody() }),
    stranger.deleteOperation({ params }),
  ])
    expect(await problemOf(call)).toMatchObject({ status: 404 });
  expect((await stranger.listOperations()).body).toMatchObject({ items: [], total: 0 });
  const viewer = service.client(
    operationsApi,
    service.tokens.sign({ role: 'viewer', scopes: ['operations:read'] }),
  );
  expect((await viewer.getOperation({ params })).status).toBe(200);
  expect(await problemOf(viewer.createOperation({ body: operationBody() }))).toMatchObject({ status: 403 });
});

test('is a layer of the Navigator, one for each domain', async () => {
  const techniques = operationBody().techniques ?? [];
  const { id } = await create({
    techniques: [...techniques, { technique: 'T0809', blue: { detected: true } }, { technique: 'T1486' }],
  });
  const layer = async (domain?: 'ics') =>
    navigatorLayer.parse((await operations.getOperationLayer({ params: { id }, query: { domain } })).body);
  const enterprise = await layer();
  expect(enterprise).toMatchObject({ domain: 'enterprise-attack', versions: { layer: '4.5', attack: '18' } });
  expect(enterprise.techniques.map(({ techniqueID, score }) => [techniqueID, score])).toEqual([
    ['T1486', 100],
    ['T1566.001', 75],
    ['T1059.001', 0],
    ['T1003', undefined],
  ]);
  const known = new Set(TECHNIQUES.map((one) => one.id));
  for (const { techniqueID } of enterprise.techniques) expect(known).toContain(techniqueID);
  const ics = await layer('ics');
  expect(ics.domain).toBe('ics-attack');
  expect(ics.techniques.map(({ techniqueID }) => techniqueID)).toEqual(['T0809']);
});

const at = (executed_at: string, detected_at: string) => ({
  techniques: [{ technique: 'T1486', red: { executed_at }, blue: { detected_at } }],
});
const RUN = '2026-03-01T09:00:00Z';

test.each<[string, object, string, string]>([
  ['no name', { name: ' ' }, '/name', 'too_small'],
  ['an unknown field', { colour: 'red' }, '/colour', 'unrecognized_keys'],
  ['an unknown status', { status: 'cancelled' }, '/status', 'invalid_value'],
  [
    'an impossible technique',
    { techniques: [{ technique: 'T1' }] },
    '/techniques/0/technique',
    'invalid_format',
  ],
  [
    'an unknown technique',
    { techniques: [{ technique: 'T9999' }] },
    '/techniques/0/technique',
    'unknown_technique',
  ],
  [
    'an ended technique',
    { techniques: [{ technique: 'T1026' }] },
    '/techniques/0/technique',
    'unknown_technique',
  ],
  [
    'a detection before the execution',
    at(RUN, '2026-03-01T08:59:59Z'),
    '/techniques/0/blue/detected_at',
    'before_execution',
  ],
  [
    'a time in the year 9999',
    at('9999-12-31T00:00:00Z', '9999-12-31T00:00:00Z'),
    '/techniques/0/red/executed_at',
    'out_of_range',
  ],
  ['a time that is none', at('yesterday', RUN), '/techniques/0/red/executed_at', 'invalid_format'],
  [
    'an end before the start',
    { started_at: RUN, ended_at: '2026-03-01T08:00:00Z' },
    '/ended_at',
    'before_start',
  ],
  [
    'a result that contradicts',
    { techniques: [{ technique: 'T1486', blue: { detected: true }, result: 'missed' }] },
    '/techniques/0/result',
    'contradiction',
  ],
  [
    '501 techniques',
    { techniques: Array.from({ length: 501 }, () => ({ technique: 'T1486' })) },
    '/techniques',
    'too_big',
  ],
  ['a key with $', { objective: { $ne: null } }, '/objective/$ne', 'forbidden_key'],
  ['a scenario that is no file name', { scenario: '../etc/passwd' }, '/scenario', 'invalid_format'],
])('%s is refused by its name and stores nothing', async (_name, changes, path, code) => {
  const total = async () => (await operations.listOperations()).body.total;
  const before = await total();
  const rawBody = JSON.stringify({ ...operationBody(), ...changes });
  const problem = await problemOf(
    operations.createOperation(undefined, { rawBody, headers: { 'content-type': 'application/json' } }),
  );
  expect(problem.status).toBe(422);
  expect(problem.problem.errors).toContainEqual(expect.objectContaining({ path, code }));
  expect(await total()).toBe(before);
});

test.each([
  ['an id that is none', '/api/operations/%24ne/', 404],
  ['an unknown domain', `/api/operations/${EXAMPLE_ID}/layer/?domain=mobile`, 422],
  ['an unknown filter', '/api/operations/?colour=red', 422],
  ['an edited cursor', '/api/operations/?cursor=abc', 422],
  ['a missing slash', '/api/operations', 308],
])('%s answers %s with %i', async (_name, path, status) => {
  const answer = await service.fetch(`${service.url}${path}`, { redirect: 'manual' });
  expect(answer.status).toBe(status);
});
