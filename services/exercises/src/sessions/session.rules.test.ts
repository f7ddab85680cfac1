import { describe, expect, test } from '@jest/globals';
import { scenarioContent } from '@muster/contracts';
import fc from 'fast-check';
import { scenarioUpload } from '../../test/fixtures.ts';
import { brokenReferences, brokenTimes, timesOf } from './session.rules.ts';

const scenario = scenarioContent.parse(scenarioUpload());
const response = { inject_id: 'I1', actions: [], decision: '', notes: '' };
const codes = (played: Parameters<typeof brokenReferences>[1]) =>
  brokenReferences(scenario, played).map(({ path, code }) => [path, code]);

describe('references', () => {
  test('a session that fits its scenario has none broken', () => {
    const played = {
      participants: [{ name: 'Head of IT', role: 'lead' }, { name: 'Guest' }],
      responses: [{ ...response, actions: ['A1', 'A2'], role: 'lead' }],
      observations: [{ objective_id: 'O1', rating: null, note: '', observer: '' }],
    };
    expect(codes(played)).toEqual([]);
  });

  test('an action of another inject is not one of this inject', () => {
    const responses = [{ ...response, inject_id: 'I2', actions: ['A1', 'A2'] }];
    expect(codes({ responses })).toEqual([['/responses/0/actions/1', 'unknown_action']]);
  });

  test('an unknown inject is named once, whatever it claims to have done', () => {
    const responses = [{ ...response, inject_id: 'I9', actions: ['A1'] }];
    expect(codes({ responses })).toEqual([['/responses/0/inject_id', 'unknown_inject']]);
  });

  test('a record beyond reason is refused before the database refuses it', () => {
    const long = { ...response, decision: 'x'.repeat(20_000), notes: 'x'.repeat(20_000) };
    expect(codes({ responses: Array(100).fill(long) })).toEqual([]);
    expect(codes({ responses: Array(101).fill(long) })).toEqual([['/responses', 'too_big']]);
    expect(codes({ responses: Array(2001).fill(response) })).toEqual([['/responses', 'too_big']]);
  });
});

describe('times', () => {
  const now = new Date('2026-03-02T12:00:00.000Z');
  const at = (text: string) => new Date(`2026-03-02T${text}:00.000Z`);
  const start = '2026-03-02T09:00:00.000Z';
  const end = '2026-03-02T10:00:00.000Z';

  test.each([
    ['completed, nothing given', { status: 'completed' }, at('11:00'), now],
    ['completed, only its end', { status: 'completed', ended_at: end }, at('09:00'), at('10:00')],
    ['completed, only its start', { status: 'completed', started_at: start }, at('09:00'), now],
    ['completed, both', { status: 'completed', started_at: start, ended_at: end }, at('09:00'), at('10:00')],
    ['in progress, nothing given', { status: 'in_progress' }, now, null],
    ['in progress, its start', { status: 'in_progress', started_at: start }, at('09:00'), null],
  ] as const)('%s', (_name, input, started_at, ended_at) => {
    expect(timesOf({ started_at: undefined, ended_at: undefined, ...input }, 60, now)).toEqual({
      started_at,
      ended_at,
    });
  });

  test.each([
    ['an end before the start', 'completed', at('10:00'), at('09:00'), 'before_start'],
    ['an end while in progress', 'in_progress', at('09:00'), at('10:00'), 'still_in_progress'],
    ['the year 9999', 'completed', new Date('9999-01-01'), new Date('9999-01-02'), 'out_of_range'],
    ['the year 1969', 'completed', new Date('1969-12-31'), at('09:00'), 'out_of_range'],
  ] as const)('%s is refused', (_name, status, started_at, ended_at, code) => {
    expect(brokenTimes(status, { started_at, ended_at }).map((problem) => problem.code)).toContain(code);
  });

  test('what is derived is never itself broken', () => {
    const moment = fc.date({ min: new Date('2001-01-01'), max: new Date('2026-03-01'), noInvalidDate: true });
    fc.assert(
      fc.property(fc.option(moment), fc.integer({ min: 5, max: 10_080 }), (started, minutes) => {
        const input = {
          status: 'completed' as const,
          started_at: started?.toISOString(),
          ended_at: undefined,
        };
        return brokenTimes('completed', timesOf(input, minutes, now)).length === 0;
      }),
    );
  });
});
