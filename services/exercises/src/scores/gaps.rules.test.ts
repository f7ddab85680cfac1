import { describe, expect, test } from '@jest/globals';
import { type InjectResponse, response, type ScenarioContent } from '@muster/contracts';
import { draftScenario } from '../../test/fixtures.ts';
import { gapsOf, severityOf, strengthsOf } from './gaps.rules.ts';
import { playOf } from './play.rules.ts';

type Draft = Record<string, unknown>;
const controls = (...names: string[]) => names.map((control) => ({ framework: 'nist-csf-2.0', control }));
const action = (id: string, rest: Draft = {}) => ({ id, text: `Do ${id}.`, ...rest });

const scenario = (...injects: Draft[]) =>
  draftScenario(
    [
      { id: 'O1', title: 'Contain', capability: 'containment', controls: controls('RS.MI-01', 'RS.MA-01') },
      { id: 'O2', title: 'Inform', capability: 'regulatory', controls: controls('RS.MA-01', 'RS.CO-02') },
    ],
    injects,
  );
const answer = (inject_id: string, actions: string[], at_minutes?: number): InjectResponse =>
  response.parse({ inject_id, actions, at_minutes });
const gaps = (content: ScenarioContent, ...responses: InjectResponse[]) =>
  gapsOf(playOf(content.injects, responses), content.objectives);
const strengths = (content: ScenarioContent, ...responses: InjectResponse[]) =>
  strengthsOf(playOf(content.injects, responses), content);

describe('severity', () => {
  test.each([
    [{ critical: true, weight: 1 }, 'critical', 'high'],
    [{ critical: false, weight: 10 }, 'high', 'medium'],
    [{ critical: false, weight: 4 }, 'high', 'medium'],
    [{ critical: false, weight: 3.9 }, 'medium', 'low'],
    [{ critical: false, weight: 2 }, 'medium', 'low'],
    [{ critical: false, weight: 1 }, 'low', 'low'],
    [{ critical: false, weight: 0.1 }, 'low', 'low'],
  ])('of %p is %s when missed and %s when late', (one, missed, late) => {
    expect([severityOf(one, 'missed'), severityOf(one, 'late')]).toEqual([missed, late]);
  });
});

describe('a gap', () => {
  const content = scenario({
    id: 'I1',
    objective_ids: ['O2', 'O1'],
    techniques: ['T1486', 'T1078', 'T1486'],
    expected_actions: [
      action('A1', { critical: true, target_minutes: 10, weight: 3 }),
      action('A2', { weight: 2 }),
      action('A3', { target_minutes: 1 }),
    ],
  });

  test('of a missed action says what, where, and what it touches', () => {
    expect(gaps(content, answer('I1', ['A2', 'A3'], 1))).toEqual([
      {
        id: 'I1:A1',
        capability: 'regulatory',
        severity: 'critical',
        title: 'Missed: Do A1',
        detail: 'No response to “The call” shows it: a critical action expected within 10 minutes.',
        inject_id: 'I1',
        action_id: 'A1',
        objective_id: 'O2',
        controls: controls('RS.MA-01', 'RS.CO-02', 'RS.MI-01'),
        techniques: ['T1486', 'T1078'],
        reason: 'missed',
      },
    ]);
  });

  test('of a late action says how late', () => {
    expect(gaps(content, answer('I1', ['A1', 'A2', 'A3'], 1), answer('I1', [], 2))).toEqual([]);
    const [late] = gaps(content, answer('I1', ['A2', 'A3'], 1), answer('I1', ['A1'], 12.5));
    expect(late).toMatchObject({
      severity: 'high',
      reason: 'late',
      title: 'Late: Do A1',
      detail:
        'Done 12.5 minutes after “The call”; the target for this critical action was 10 minutes, ' +
        'so it earned 88 % of its weight.',
    });
  });

  test('of an unanswered inject says so', () => {
    expect(gaps(content).map((gap) => gap.detail)).toEqual([
      '“The call” was not answered: a critical action expected within 10 minutes.',
      '“The call” was not answered: an action expected.',
      '“The call” was not answered: an action expected within 1 minute.',
    ]);
  });

  test('of an inject without objectives is a matter of governance', () => {
    const [gap] = gaps(scenario({ id: 'I1', expected_actions: [action('A1')] }));
    expect(gap).toMatchObject({ capability: 'governance', objective_id: null, controls: [] });
  });
});

test('gaps come gravest first, then heaviest, then as played; what did not come up is none', () => {
  const content = scenario(
    {
      id: 'I1',
      expected_actions: [action('A1'), action('A2', { weight: 5 }), action('A3', { weight: 1.5 })],
    },
    {
      id: 'I2',
      expected_actions: [
        action('A1', { critical: true }),
        action('A2', { weight: 5 }),
        action('A3', { weight: 9 }),
      ],
    },
    {
      id: 'I3',
      only_if: { inject_id: 'I1', action_id: 'A1', taken: true },
      expected_actions: [action('A1')],
    },
  );
  const order = gaps(content).map(({ id }) => id);
  expect(order).toEqual(['I2:A1', 'I2:A3', 'I1:A2', 'I2:A2', 'I1:A3', 'I1:A1']);
});

test('two actions never share a gap id, whatever dots their ids hold', () => {
  const content = scenario(
    { id: 'I', expected_actions: [action('1.A')] },
    { id: 'I.1', expected_actions: [action('A')] },
  );
  expect(new Set(gaps(content).map(({ id }) => id)).size).toBe(2);
});

describe('strengths', () => {
  test('are done on time and weigh at least the median, the heaviest first', () => {
    const content = scenario(
      { id: 'I1', objective_ids: ['O1'], expected_actions: [action('A1'), action('A2', { weight: 2 })] },
      {
        id: 'I2',
        expected_actions: [
          action('A1', { weight: 3, target_minutes: 10 }),
          action('A2', { weight: 4, target_minutes: 1 }),
        ],
      },
    );
    // The median of 1, 2, 3 and 4 is 2.5.
    expect(strengths(content, answer('I1', ['A1', 'A2'], 1), answer('I2', ['A1', 'A2'], 5))).toEqual([
      { capability: 'governance', title: 'Do A1 (after 5 minutes)', inject_id: 'I2' },
    ]);
  });

  test('without a time say none', () => {
    const content = scenario({ id: 'I1', objective_ids: ['O1'], expected_actions: [action('A1')] });
    expect(strengths(content, answer('I1', ['A1']))).toEqual([
      { capability: 'containment', title: 'Do A1', inject_id: 'I1' },
    ]);
  });

  test('are ten at most', () => {
    const ids = Array.from({ length: 12 }, (_, index) => `A${index}`);
    const content = scenario({ id: 'I1', expected_actions: ids.map((id) => action(id)) });
    expect(strengths(content, answer('I1', ids))).toHaveLength(10);
  });
});
