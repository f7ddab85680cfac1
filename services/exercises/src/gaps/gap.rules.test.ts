import { describe, expect, test } from '@jest/globals';
import { draftScenario } from '../../test/fixtures.ts';
import { DEFAULT_BANDS } from '../scores/bands.rules.ts';
import { retestDue, topicKey, trialsOf } from './gap.rules.ts';

const day = (n: number) => new Date(Date.UTC(2026, 0, n));
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
