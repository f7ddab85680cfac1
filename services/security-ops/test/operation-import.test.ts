import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, type Operation, type OperationImportResult, operationsApi } from '@muster/contracts';
import { problemOf, startTestService, type TestService } from '@muster/testing';
import { v7 } from 'uuid';
import { securityOps } from '../src/service.ts';
import { attireLog } from './operation.fixtures.ts';

let service: TestService;
let operations: Client<typeof operationsApi>;

beforeAll(async () => {
  service = await startTestService(securityOps);
  operations = service.client(operationsApi);
});
afterAll(async () => service.stop());

const importOne = async (log: Record<string, unknown>, client = operations) => {
  const { status, body } = await client.importOperations({ body: log });
  return { status, operation: body as Operation };
};
const total = async () => (await operations.listOperations()).body.total;

test('a log becomes a running operation with an empty blue side; what could not be taken is named', async () => {
  const { status, operation } = await importOne(attireLog('run-1'));
  expect(status).toBe(201);
  expect(operation).toMatchObject({
    name: 'Imported: Atomic runner on WS-042',
    status: 'running',
    started_at: '2026-03-01T09:01:00.123Z',
    ended_at: '2026-03-01T09:05:00.000Z',
    metrics: { executed: 2, detected: 0, mean_minutes_to_detect: null },
    imported: { format: 'attire', execution_id: 'run-1', target: 'WS-042, 192.0.2.42, tester' },
  });
  expect(operation.techniques).toMatchObject([
    {
      technique: 'T1016',
      red: { executed_at: '2026-03-01T09:01:00.123Z', outcome: 'succeeded' },
      blue: { detected: false, detected_at: null, prevented: false, source: null, notes: '' },
    },
    { technique: 'T1560', red: { executed_at: '2026-03-01T09:04:00.000Z', outcome: 'failed' } },
  ]);
  expect(operation.techniques[0]?.red.notes).toContain('command_prompt: ipconfig /all');
  expect(operation.imported?.skipped.map(({ path, code }) => [path, code])).toEqual([
    ['/procedures/1/steps/1/time-start', 'unreadable_time'],
    ['/procedures/2/mitre-technique-id', 'unknown_technique'],
  ]);
});

test('the same execution id again answers the first, also when they come at once; another organization has its own', async () => {
  const before = await total();
  const answers = await Promise.all([1, 2, 3].map(() => importOne(attireLog('run-2'))));
  expect(new Set(answers.map(({ operation }) => operation.id)).size).toBe(1);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 201]);
  expect(await total()).toBe(before + 1);
  const other = service.client(operationsApi, service.tokens.sign({ org: v7() }));
  const theirs = await importOne(attireLog('run-2'), other);
  expect(theirs.status).toBe(201);
  expect(theirs.operation.id).not.toBe(answers[0]?.operation.id);
});

test('of several logs each is taken by itself, and once', async () => {
  const body = [
    attireLog('run-3'),
    { 'attire-version': '2.0' },
    attireLog('run-3'),
    attireLog('run-4', { procedures: 'none' }),
  ];
  const { status, body: answer } = await operations.importOperations({ body });
  const result = answer as OperationImportResult;
  expect(status).toBe(200);
  expect(result).toMatchObject({ imported: 1, known: 1, operations: [{ techniques_count: 2 }, {}] });
  expect(result.operations[0]?.id).toBe(result.operations[1]?.id);
  expect(result.rejected.map(({ index, errors }) => [index, errors.map(({ path }) => path)])).toEqual([
    [1, ['/attire-version', '/execution-data', '/procedures']],
    [3, ['/procedures']],
  ]);
});

test('an imported operation is completed as any other, and imported again it stays as it is', async () => {
  const { operation } = await importOne(attireLog('run-5'));
  const { id, ...sent } = operation;
  const techniques = operation.techniques.map(({ result: _, ...one }) => ({
    ...one,
    blue: { ...one.blue, detected: true },
  }));
  const body = { ...sent, status: 'completed' as const, techniques };
  const completed = await operations.updateOperation({ params: { id }, body });
  expect(completed.body).toMatchObject({ status: 'completed', metrics: { detection_rate: 1 } });
  expect(await importOne(attireLog('run-5'))).toMatchObject({
    status: 200,
    operation: { status: 'completed' },
  });
});

const MEBIBYTE = 1024 * 1024;
const execution = (id: string) => ({ 'execution-data': { 'execution-id': id } });

test.each<[string, () => string, number, string]>([
  ['half a log', () => '{"attire-version": "1.1"', 400, ''],
  ['no log at all', () => 'null', 422, ''],
  ['an empty list', () => '[]', 422, ''],
  ['a list of numbers', () => '[1, 2]', 422, ''],
  ['101 logs', () => JSON.stringify(Array.from({ length: 101 }, (_, at) => attireLog(`x-${at}`))), 422, ''],
  [
    'an unknown version',
    () => JSON.stringify(attireLog('x', { 'attire-version': '3' })),
    422,
    '/attire-version',
  ],
  ['no execution id', () => JSON.stringify(attireLog(' ')), 422, '/execution-data/execution-id'],
  [
    'an execution id of 201 letters',
    () => JSON.stringify(attireLog('x'.repeat(201))),
    422,
    '/execution-data/execution-id',
  ],
  [
    '501 procedures',
    () => {
      const procedures = Array.from({ length: 501 }, () => ({ 'mitre-technique-id': 'T1016' }));
      return JSON.stringify(attireLog('x', { procedures }));
    },
    422,
    '/procedures',
  ],
  [
    'a technique that is a number',
    () => JSON.stringify(attireLog('x', { procedures: [{ 'mitre-technique-id': 1016 }] })),
    422,
    '/procedures/0/mitre-technique-id',
  ],
  [
    'a key with $',
    () => JSON.stringify({ ...attireLog('x'), ...execution('x'), $where: '1' }),
    422,
    '/$where',
  ],
  ['10 MiB + 1', () => JSON.stringify('x'.repeat(10 * MEBIBYTE - 1)), 413, ''],
])('%s is refused and stores nothing', async (_name, rawBody, status, path) => {
  const before = await total();
  const headers = { 'content-type': 'application/json' };
  const refused = await problemOf(operations.importOperations(undefined, { rawBody: rawBody(), headers }));
  expect(refused.status).toBe(status);
  if (path !== '') expect(refused.problem.errors?.map((error) => error.path)).toContain(path);
  expect(await total()).toBe(before);
});

test('a log of nothing but unknown techniques is an operation without any', async () => {
  const log = attireLog('run-6', { procedures: [{ 'mitre-technique-id': 'not one' }] });
  const { status, operation } = await importOne(log);
  expect(status).toBe(201);
  expect(operation).toMatchObject({ techniques: [], imported: { skipped: [{ code: 'unknown_technique' }] } });
});
