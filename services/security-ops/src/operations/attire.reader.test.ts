import { expect, test } from '@jest/globals';
import { operationInput } from '@muster/contracts';
import fc from 'fast-check';
import { attireLog, operationOfLog } from './attire.reader.ts';
import { operationProblems } from './operation.rules.ts';

const logOf = (steps: object[], more: object = {}) =>
  attireLog.parse({
    'attire-version': '1.1',
    'execution-data': { 'execution-id': 'run' },
    procedures: [{ 'mitre-technique-id': 't1016', steps }],
    ...more,
  });
const redOf = (steps: object[]) => operationOfLog(logOf(steps)).input.techniques[0]?.red;

test.each<[string, object[], string]>([
  ['no step', [], 'executed'],
  ['steps without an exit code', [{}], 'executed'],
  ['exit code 0 throughout', [{ 'exit-code': 0 }, { 'exit-code': 0 }], 'succeeded'],
  ['one that failed', [{ 'exit-code': 0 }, { 'exit-code': 2 }], 'failed'],
  ['a timeout', [{ 'exit-code': 0, 'is-timeout': true }], 'timed out'],
])('the outcome of %s', (_name, steps, outcome) => {
  expect(redOf(steps)?.outcome).toBe(outcome);
});

test.each<[string, string | null]>([
  ['2026-03-01T09:30:00Z', '2026-03-01T09:30:00.000Z'],
  ['2026-03-01T09:30:00.1234567+01:00', '2026-03-01T08:30:00.123Z'],
  ['2026-03-01T09:30:00', '2026-03-01T09:30:00.000Z'],
  ['2026-03-01 09:30:00', '2026-03-01T09:30:00.000Z'],
  ['9999-12-31T00:00:00Z', null],
  ['2026-02-31T99:00:00Z', null],
  ['12/31/2026', null],
  ['1767225600', null],
])('the time %s', (given, moment) => {
  const { input, imported } = operationOfLog(logOf([{ 'time-start': given }]));
  expect(input.techniques[0]?.red.executed_at ?? null).toBe(moment);
  expect(imported.skipped.map(({ code }) => code)).toEqual(moment ? [] : ['unreadable_time']);
});

test('a clock that was set back between steps does not keep a log out', () => {
  const { input } = operationOfLog(
    logOf([{ 'time-start': '2026-03-01T09:30:00Z', 'time-stop': '2026-03-01T08:30:00Z' }]),
  );
  expect(input).toMatchObject({ started_at: '2026-03-01T09:30:00.000Z', ended_at: null });
});

test('whatever a log says, what is made of it is an operation without a fault', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('T1016', 'T1002', 'T0809', '2026-03-01T09:30:00Z', ''));
  const step = fc.record(
    { command: text, executor: text, 'time-start': text, 'time-stop': text, 'exit-code': fc.integer() },
    { requiredKeys: [] },
  );
  const procedure = fc.record({
    'procedure-name': text,
    'mitre-technique-id': text,
    order: fc.integer(),
    steps: fc.array(step, { maxLength: 4 }),
  });
  const target = fc.record({ host: text, ip: text, user: text }, { requiredKeys: [] });
  fc.assert(
    fc.property(fc.array(procedure, { maxLength: 8 }), target, text, (procedures, where, source) => {
      const data = { 'execution-id': 'run', 'execution-source': source, target: where };
      const parsed = attireLog.safeParse(logOf([], { procedures, 'execution-data': data }));
      const { input, imported } = operationOfLog(parsed.data ?? logOf([]));
      expect(operationInput.parse(input)).toEqual(input);
      expect(operationProblems(input)).toEqual([]);
      const unknown = imported.skipped.filter(({ code }) => code === 'unknown_technique');
      expect(input.techniques.length + unknown.length).toBe(procedures.length);
    }),
  );
});
