import { describe, expect, test } from '@jest/globals';
import type { ConductCommand, RecordedResponse } from '@muster/contracts';
import { scenarioContent } from '@muster/contracts';
import fc from 'fast-check';
import { conductAfter } from './command.rules.ts';
import {
  type ConductRecord,
  elapsedMinutes,
  injectStates,
  minuteOfDecision,
  momentOf,
  nextByClock,
  phaseOf,
  type Table,
} from './conduct.rules.ts';

const at = (minutes: number) => new Date(Date.UTC(2026, 2, 1, 9, 0) + minutes * 60_000);
const inject = (id: string, offset_minutes: number, more: object = {}) => ({
  id,
  offset_minutes,
  title: id,
  description: id,
  channel: 'phone',
  objective_ids: ['O1'],
  expected_actions: [{ id: `${id}A`, text: 'act', keywords: ['act'] }],
  ...more,
});
const scenario = scenarioContent.parse({
  title: 'Scripted',
  summary: 's',
  category: 'other',
  difficulty: 'introductory',
  duration_minutes: 60,
  audience: ['technical'],
  threat: {},
  roles: [{ id: 'lead', name: 'Lead' }],
  objectives: [{ id: 'O1', title: 'o', capability: 'containment' }],
  injects: [
    inject('I2', 10),
    inject('I1', 0),
    inject('I3', 20, {
      type: 'contingency',
      only_if: { inject_id: 'I1', action_id: 'I1A', taken: false },
    }),
  ],
});
const table = (conduct: ConductRecord | null, responses: RecordedResponse[] = []): Table => ({
  scenario,
  responses,
  conduct,
  completed: false,
});
const recordAfter = (before: Table, command: ConductCommand, now: Date): ConductRecord => {
  const step = conductAfter(before, command, 'Facilitator', now);
  if ('record' in step) return step.record;
  throw new Error('conflict' in step.refusal ? step.refusal.conflict : step.refusal.problem.message);
};
const play = (steps: [number, ConductCommand][], responses: RecordedResponse[] = []) =>
  steps.reduce<ConductRecord | null>(
    (record, [minute, command]) => recordAfter(table(record, responses), command, at(minute)),
    null,
  );
const statuses = (record: ConductRecord | null, minute: number, responses: RecordedResponse[] = []) =>
  injectStates(table(record, responses), at(minute)).map(({ id, status }) => `${id} ${status}`);
const taken: RecordedResponse = { inject_id: 'I1', at_minutes: 2, actions: ['I1A'], decision: '', notes: '' };

describe('the clock', () => {
  test('stands while paused', () => {
    const record = play([
      [0, { command: 'start' }],
      [10, { command: 'pause' }],
      [40, { command: 'resume' }],
    ]);
    expect(elapsedMinutes(record, at(45))).toBe(15);
    expect(record && momentOf(record, 12, at(45))).toEqual(at(42));
  });

  test('never runs backwards, whatever is done when', () => {
    const minutes = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(minutes, (pauses) => {
        let [record, now, shown] = [play([[0, { command: 'start' }]]), 0, 0];
        for (const wait of pauses) {
          now += wait;
          const command = phaseOf(table(record)) === 'running' ? 'pause' : 'resume';
          record = recordAfter(table(record), { command }, at(now));
          expect(elapsedMinutes(record, at(now))).toBeGreaterThanOrEqual(shown);
          shown = elapsedMinutes(record, at(now));
        }
        expect(shown).toBeLessThanOrEqual(now);
      }),
    );
  });

  test('releases what is due, in the order of the script, and says what comes next', () => {
    const record = play([[0, { command: 'start' }]]);
    expect(statuses(record, 10)).toEqual(['I1 released', 'I2 released', 'I3 waiting']);
    const next = nextByClock(injectStates(table(record), at(4)), record, 4);
    expect(next).toEqual({ inject_id: 'I2', in_minutes: 6 });
  });

  test('releases a contingency only where it came to that', () => {
    const record = play([[0, { command: 'start' }]]);
    expect(statuses(record, 20)).toContain('I3 released');
    expect(statuses(record, 20, [taken])).toContain('I3 withheld');
  });
});

describe('by hand', () => {
  test('nothing comes by itself', () => {
    const record = play([
      [0, { command: 'start', release: 'hand' }],
      [3, { command: 'release', inject_id: 'I2' }],
      [4, { command: 'skip', inject_id: 'I1' }],
    ]);
    expect(statuses(record, 59)).toEqual(['I1 skipped', 'I2 released', 'I3 waiting']);
    expect(injectStates(table(record), at(59))[1]).toMatchObject({
      released_by: 'Facilitator',
      released_after_minutes: 3,
      released_at: at(3).toISOString(),
    });
  });

  test('what the clock released stays when the facilitator takes over', () => {
    const record = play([
      [0, { command: 'start' }],
      [12, { command: 'set_release', release: 'hand' }],
    ]);
    expect(statuses(record, 50)).toEqual(['I1 released', 'I2 released', 'I3 waiting']);
  });

  test('a decision counts from the moment its inject came, in the time of the script', () => {
    const record = play([
      [0, { command: 'start', release: 'hand' }],
      [30, { command: 'release', inject_id: 'I2' }],
    ]);
    expect(minuteOfDecision(table(record), 'I2', at(35))).toBe(15);
    expect(minuteOfDecision(table(record), 'I1', at(35))).toBeNull();
    expect(minuteOfDecision(table(null), 'I2', at(35))).toBeNull();
  });
});

test.each<[string, [number, ConductCommand][], RegExp]>([
  ['pausing what was not started', [[0, { command: 'pause' }]], /not running/],
  [
    'resuming what runs',
    [
      [0, { command: 'start' }],
      [1, { command: 'resume' }],
    ],
    /not paused/,
  ],
  [
    'starting twice',
    [
      [0, { command: 'start' }],
      [1, { command: 'start' }],
    ],
    /started already/,
  ],
  ['releasing before the start', [[0, { command: 'release', inject_id: 'I1' }]], /Start the session first/],
  [
    'releasing twice',
    [
      [0, { command: 'start' }],
      [1, { command: 'release', inject_id: 'I1' }],
    ],
    /released already/,
  ],
  [
    'an inject that is not there',
    [
      [0, { command: 'start' }],
      [1, { command: 'skip', inject_id: 'I9' }],
    ],
    /no inject "I9"/,
  ],
])('%s is refused', (_name, steps, reason) => {
  expect(() => play(steps)).toThrow(reason);
});

test('a completed session is not conducted any more', () => {
  expect(() => recordAfter({ ...table(null), completed: true }, { command: 'start' }, at(0))).toThrow(
    /completed/,
  );
});
