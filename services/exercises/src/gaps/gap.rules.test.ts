import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { draftScenario } from '../../test/fixtures.ts';
import { DEFAULT_BANDS } from '../scores/bands.rules.ts';
import { daysBetween, gapState, retestDue, type Trial, topicKey, trialsOf } from './gap.rules.ts';

const day = (n: number) => new Date(Date.UTC(2026, 0, n));
const trial = (on: number, rating: Trial['rating']): Trial => ({
  session_id: `s${on}`,
  ended_at: day(on),
  rating,
  techniques: [],
  findings: ['P', 'S'].includes(rating)
    ? []
    : [
        {
          ...{ title: `found on ${on}`, detail: 'd', severity: 'high', reason: 'missed' },
          ...{ inject_id: 'I1', action_id: 'A1', session_id: `s${on}`, scenario: 'a.json' },
          at: day(on).toISOString(),
        },
      ],
});

describe('the life of a gap', () => {
  test('there is none where every session reached P or S', () => {
    expect(gapState([trial(1, 'P'), trial(2, 'S')])).toBeNull();
  });

  test('M or U opens it, P or S later closes it, and that is its proof', () => {
    const state = gapState([trial(1, 'U'), trial(10, 'M'), trial(31, 'S')]);
    expect(state).toMatchObject({
      opened_at: day(1),
      last_seen_at: day(10),
      closed_at: day(31),
      closed_by_session_id: 's31',
      occurrences: 2,
      relapses: 0,
      title: 'found on 10',
    });
    expect(state?.closed_at && daysBetween(state.opened_at, state.closed_at)).toBe(30);
  });

  test('what comes back after its proof is a relapse, opened anew', () => {
    const state = gapState([trial(1, 'U'), trial(5, 'P'), trial(9, 'M')]);
    expect(state).toMatchObject({ opened_at: day(9), closed_at: null, relapses: 1, occurrences: 2 });
  });

  test('a proof from before it was seen closes nothing', () => {
    expect(gapState([trial(1, 'P'), trial(2, 'M')])?.closed_at).toBeNull();
  });

  test('the order in which sessions are saved changes nothing', () => {
    const ratings = fc.array(fc.constantFrom('P' as const, 'S' as const, 'M' as const, 'U' as const), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(ratings, fc.infiniteStream(fc.nat()), (given, keys) => {
        const inTime = given.map((rating, index) => trial(index + 1, rating));
        const shuffled = inTime
          .map((one) => ({ one, key: keys.next().value }))
          .sort((a, b) => a.key - b.key)
          .map(({ one }) => one);
        expect(gapState(shuffled)).toEqual(gapState(inTime));
      }),
    );
  });

  test('what came before can be left out once it is known what it amounts to', () => {
    const ratings = fc.array(fc.constantFrom('P' as const, 'S' as const, 'M' as const, 'U' as const), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(ratings, fc.nat(12), (given, cut) => {
        const inTime = given.map((rating, index) => trial(index + 1, rating));
        const before = gapState(inTime.slice(0, cut));
        expect(gapState(inTime.slice(cut), before)).toEqual(gapState(inTime));
      }),
    );
  });
});

describe('the trials of a session', () => {
  const control = (name: string) => ({ framework: 'nist-csf-2.0', control: name });
  const scenario = draftScenario(
    [
      {
        id: 'O1',
        title: 'o',
        capability: 'containment',
        controls: [control('RS.MI-01'), control('RS.MI-02')],
      },
      { id: 'O2', title: 'o', capability: 'communication' },
    ],
    [
      {
        id: 'I1',
        objective_ids: ['O1'],
        expected_actions: [
          { id: 'A1', text: 'Isolate', weight: 1, critical: true },
          { id: 'A2', text: 'Block', weight: 9 },
        ],
      },
      { id: 'I2', objective_ids: ['O2'], expected_actions: [{ id: 'A1', text: 'Tell', weight: 1 }] },
    ],
  );
  const played = (actions: string[]) =>
    new Map(
      trialsOf(
        {
          id: 's1',
          filename: 'lost-laptop.json',
          ended_at: day(1),
          scenario,
          responses: [{ inject_id: 'I1', at_minutes: 1, actions, decision: '', notes: '' }],
        },
        DEFAULT_BANDS,
      ).map(({ topic, trial }) => [topicKey(topic.capability, topic.control), trial]),
    );

  test('are one for each control of each objective, or for the capability alone', () => {
    expect([...played([]).keys()]).toEqual([
      'containment|nist-csf-2.0|RS.MI-01',
      'containment|nist-csf-2.0|RS.MI-02',
      'communication',
    ]);
  });

  test('are rated by weight, and a missed critical action is no proof however light it is', () => {
    expect(played(['A1', 'A2']).get('containment|nist-csf-2.0|RS.MI-01')?.rating).toBe('P');
    const light = played(['A2']).get('containment|nist-csf-2.0|RS.MI-01');
    expect(light).toMatchObject({ rating: 'M', findings: [{ action_id: 'A1', severity: 'critical' }] });
  });

  test('hold only what was found there', () => {
    expect(played(['A1', 'A2']).get('communication')?.findings).toMatchObject([{ inject_id: 'I2' }]);
  });
});

test('the graver a gap, the sooner its re-test', () => {
  expect(retestDue('critical', day(1))).toEqual(day(31));
  expect(retestDue('low', day(1)) > retestDue('medium', day(1))).toBe(true);
});
