import { describe, expect, test } from '@jest/globals';
import { OPERATION_STATUSES, operationInput } from '@muster/contracts';
import { mayMove, operationProblems, testedTechniques, timesOf } from './operation.rules.ts';

const NOW = new Date('2026-04-01T00:00:00.000Z');
const inputOf = (changes: object) => operationInput.parse({ name: 'x', ...changes });
const times = (changes: object) => {
  const { started_at, ended_at } = timesOf(inputOf(changes), NOW);
  return [started_at?.toISOString() ?? null, ended_at?.toISOString() ?? null];
};
const run = (executed_at: string, detected_at?: string) => ({
  technique: 'T1486',
  red: { executed_at },
  ...(detected_at && { blue: { detected_at } }),
});
const at = (hour: string) => `2026-03-01T${hour}:00:00.000Z`;

describe('times', () => {
  test.each<[string, object, (string | null)[]]>([
    ['a planned one has those it was given', { started_at: at('09') }, [at('09'), null]],
    ['a running one began now', { status: 'running' }, [NOW.toISOString(), null]],
    [
      'a running one began with its first execution',
      { status: 'running', techniques: [run(at('10')), run(at('09'))] },
      [at('09'), null],
    ],
    [
      'a completed one ends with what was noted last',
      { status: 'completed', techniques: [run(at('09'), at('11')), run(at('10'))] },
      [at('09'), at('11')],
    ],
    [
      'a completed one without notes is of now',
      { status: 'completed' },
      [NOW.toISOString(), NOW.toISOString()],
    ],
    [
      'it never ends before it began',
      { status: 'completed', started_at: at('12'), techniques: [run(at('09'))] },
      [at('12'), at('12')],
    ],
    ['nor begins after its end', { status: 'completed', ended_at: at('08') }, [at('08'), at('08')]],
  ])('%s', (_name, changes, expected) => {
    expect(times(changes)).toEqual(expected);
  });
});

test('a status stays or takes the next step, and never leaves completed', () => {
  const moves = OPERATION_STATUSES.flatMap((from) =>
    OPERATION_STATUSES.filter((to) => mayMove(from, to)).map((to) => `${from} ${to}`),
  );
  expect(moves).toEqual(['planned planned', 'planned running', 'running running', 'running completed']);
});

test('a moment of detection is a detection', () => {
  const [one] = testedTechniques(inputOf({ techniques: [run(at('09'), at('10'))] }).techniques);
  expect(one).toMatchObject({ blue: { detected: true }, result: 'detected' });
});

test('a given result may say more than the notes, never less', () => {
  const problems = (result: string, blue: object) =>
    operationProblems(inputOf({ techniques: [{ ...run(at('09')), blue, result }] })).map(({ code }) => code);
  expect(problems('prevented', {})).toEqual([]);
  expect(problems('not_run', {})).toEqual(['contradiction']);
  expect(problems('detected', { prevented: true })).toEqual(['contradiction']);
});

test('every broken technique is named by its place', () => {
  const techniques = [run(at('09')), run(at('09'), at('08')), { technique: 'T9999' }];
  expect(operationProblems(inputOf({ techniques })).map(({ path }) => path)).toEqual([
    '/techniques/1/blue/detected_at',
    '/techniques/2/technique',
  ]);
});
