import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { type InjectResponse, response, type ScenarioContent, scores } from '@muster/contracts';
import { draftScenario } from '../../test/fixtures.ts';
import { scoreSession, summaryOf } from './scoring.rules.ts';

type Draft = Record<string, unknown>;

/** A scenario with these injects; objectives: O1 and O3 containment, O2 regulatory. */
const scenario = (...injects: Draft[]) =>
  draftScenario(
    [
      { id: 'O1', title: 'Contain', capability: 'containment' },
      { id: 'O2', title: 'Inform', capability: 'regulatory' },
      { id: 'O3', title: 'Contain more', capability: 'containment' },
    ],
    injects.map((inject) => ({ objective_ids: ['O1'], ...inject })),
  );
const action = (id: string, rest: Draft = {}) => ({ id, text: `Do ${id}`, ...rest });
const answer = (inject_id: string, actions: string[], rest: Draft = {}): InjectResponse =>
  response.parse({ inject_id, actions, ...rest });

function score(content: ScenarioContent, responses: InjectResponse[], rest: Draft = {}) {
  return scoreSession({
    session_id: '01923f5e-7b1a-7c3d-9e2f-5a6b7c8d9e0f',
    scenario: content,
    responses,
    observations: [],
    computed_at: '2026-03-01T10:30:00.000Z',
    ...rest,
  });
}

describe('what was taken', () => {
  const one = scenario({
    id: 'I1',
    expected_actions: [action('A1', { keywords: ['isolate host'] }), action('A2')],
  });

  test('an action counts when its id is listed', () => {
    expect(score(one, [answer('I1', ['A2'])]).injects[0]).toMatchObject({
      taken: ['A2'],
      missed: ['A1'],
      evidence: [],
    });
  });

  test('or when the decision shows it, with the sentence as evidence', () => {
    const decision = 'We met. We isolated both hosts, and waited!';
    expect(score(one, [answer('I1', [], { decision })]).injects[0]).toMatchObject({
      taken: ['A1'],
      evidence: [{ action_id: 'A1', quote: 'We isolated both hosts, and waited' }],
    });
  });

  test('not when the decision denies it', () => {
    const decision = 'We did not isolate the hosts.';
    expect(score(one, [answer('I1', [], { decision })]).injects[0]?.taken).toEqual([]);
  });

  test('a listed id needs no evidence, whatever the text says', () => {
    const responses = [
      answer('I1', ['A1'], { decision: 'No isolation.' }),
      answer('I1', [], { decision: 'Hosts isolated.' }),
    ];
    expect(score(one, responses).injects[0]).toMatchObject({ taken: ['A1'], evidence: [] });
  });

  test('ids and injects that the scenario does not have are ignored', () => {
    const result = score(one, [answer('I1', ['A9']), answer('I9', ['A1'])]);
    expect(result.injects).toHaveLength(1);
    expect(result).toMatchObject({ overall: 0, injects: [{ taken: [], missed: ['A1', 'A2'] }] });
  });
});

describe('means', () => {
  test('inject, objective, capability and overall weigh the same actions', () => {
    const content = scenario(
      { id: 'I1', expected_actions: [action('A1', { weight: 3 }), action('A2', { weight: 1 })] },
      { id: 'I2', objective_ids: ['O2'], expected_actions: [action('A1', { weight: 2 })] },
      { id: 'I3', objective_ids: [], expected_actions: [action('A1', { weight: 4 })] },
    );
    const result = score(content, [answer('I1', ['A1']), answer('I3', ['A1'])]);
    expect(result.overall).toBe(70);
    expect(result.injects.map((one) => one.score)).toEqual([75, 0, 100]);
    expect(result.objectives.map((one) => one.score)).toEqual([75, 0, null]);
    expect(result.objectives[2]).toMatchObject({ rating: null, rating_source: 'computed' });
    expect(result.capabilities).toEqual([
      { capability: 'containment', score: 75, weight: 4, actions_expected: 2, actions_taken: 1 },
      { capability: 'regulatory', score: 0, weight: 2, actions_expected: 1, actions_taken: 0 },
    ]);
  });

  test('an action counts once for a capability that two of its objectives share', () => {
    const content = scenario({
      id: 'I1',
      objective_ids: ['O1', 'O3'],
      expected_actions: [action('A1', { weight: 2 })],
    });
    const result = score(content, [answer('I1', ['A1'])]);
    expect(result.capabilities).toMatchObject([
      { capability: 'containment', weight: 2, actions_expected: 1 },
    ]);
    expect(result.objectives.map((one) => one.score)).toEqual([100, null, 100]);
  });

  test('lateness lowers every mean, and names the action', () => {
    const content = scenario({
      id: 'I1',
      offset_minutes: 10,
      expected_actions: [action('A1', { target_minutes: 10 })],
    });
    const late = score(content, [answer('I1', ['A1'], { at_minutes: 25 })]);
    expect(late.injects[0]).toMatchObject({ score: 75, minutes: 15, timing: 'known', late: ['A1'] });
    expect([late.overall, late.objectives[0]?.score, late.capabilities[0]?.score]).toEqual([75, 75, 75]);
    expect(score(content, [answer('I1', ['A1'], { at_minutes: 20 })]).injects[0]).toMatchObject({
      score: 100,
      late: [],
    });
  });

  test('an unanswered inject scores 0; one that expects nothing has no score', () => {
    const content = scenario({ id: 'I1', expected_actions: [action('A1')] }, { id: 'I2' });
    const { injects, overall } = score(content, [answer('I2', [], { at_minutes: 3 })]);
    expect(injects).toMatchObject([
      { applied: true, score: 0, timing: 'unanswered', minutes: null },
      { applied: true, score: null, timing: 'known', minutes: 3 },
    ]);
    expect(overall).toBe(0);
  });

  test('a session in which nothing was expected scores 0, U, level 1', () => {
    const result = score(scenario({ id: 'I1' }), [answer('I1', [])]);
    expect(result).toMatchObject({
      overall: 0,
      rating: 'U',
      maturity_level: 1,
      capabilities: [],
      gaps: [],
      strengths: [],
    });
  });

  test('rounds to two decimals, and rates what people see', () => {
    const thirds = scenario({ id: 'I1', expected_actions: ['A1', 'A2', 'A3'].map((id) => action(id)) });
    expect(score(thirds, [answer('I1', ['A1', 'A2'])]).overall).toBe(66.67);
    const nearly = scenario({
      id: 'I1',
      expected_actions: [
        action('A1', { weight: 8 }),
        action('A2', { weight: 2 }),
        action('A3', { weight: 0.0001 }),
      ],
    });
    // 79.9992
    expect(score(nearly, [answer('I1', ['A1'])])).toMatchObject({
      overall: 80,
      rating: 'P',
      maturity_level: 4,
    });
  });

  test('weights add up without noise', () => {
    const content = scenario({
      id: 'I1',
      expected_actions: [action('A1', { weight: 0.1 }), action('A2', { weight: 0.2 })],
    });
    expect(score(content, []).capabilities[0]?.weight).toBe(0.3);
  });
});

describe('ratings', () => {
  const heavy = scenario({
    id: 'I1',
    expected_actions: [
      action('A1', { weight: 9 }),
      action('A2', { weight: 1, critical: true, target_minutes: 5 }),
    ],
  });

  test('a missed critical action caps the overall rating at M and changes no number', () => {
    expect(score(heavy, [answer('I1', ['A1'])])).toMatchObject({
      overall: 90,
      rating: 'M',
      maturity_level: 5,
      objectives: [{ score: 90, rating: 'P' }, {}, {}],
    });
    expect(score(heavy, [answer('I1', [])]).rating).toBe('U');
  });

  test('a late critical action does not', () => {
    expect(score(heavy, [answer('I1', ['A1', 'A2'], { at_minutes: 50 })])).toMatchObject({
      overall: 95,
      rating: 'P',
    });
  });

  test('an observer overrides the rating of the objective alone', () => {
    const observations = [{ objective_id: 'O1', rating: 'U', note: '', observer: 'Ann' }];
    const result = score(heavy, [answer('I1', ['A1', 'A2'])], { observations });
    expect(result).toMatchObject({ overall: 100, rating: 'P' });
    expect(result.objectives[0]).toMatchObject({ score: 100, rating: 'U', rating_source: 'observer' });
  });

  test('an observer also rates an objective that nothing tested', () => {
    const observations = [{ objective_id: 'O2', rating: 'S', note: '', observer: '' }];
    const [, second] = score(heavy, [], { observations }).objectives;
    expect(second).toMatchObject({ score: null, rating: 'S', rating_source: 'observer' });
  });

  test('an organization can have its own bands', () => {
    expect(
      score(heavy, [answer('I1', ['A1', 'A2'], { at_minutes: 50 })], { bands: { P: 96, S: 90, M: 10 } })
        .rating,
    ).toBe('S');
  });
});

test('the summary is that of a list', () => {
  const result = score(scenario({ id: 'I1', expected_actions: [action('A1'), action('A2')] }), [
    answer('I1', ['A1']),
  ]);
  expect(summaryOf(result)).toEqual({ overall: 50, rating: 'M', maturity_level: 2, gaps: 1 });
});

test('the scores are those of the contract', () => {
  const content = scenario({ id: 'I1', expected_actions: [action('A1', { weight: 2 }), action('A2')] });
  const result = score(content, [answer('I1', ['A1'], { at_minutes: 4.5 })]);
  expect(scores.parse(result)).toEqual(result);
});

test('the example of docs/scoring.md', async () => {
  const content = scenario(
    {
      id: 'I1',
      expected_actions: [
        action('A1', { weight: 3, critical: true, target_minutes: 10, keywords: ['isolate host'] }),
        action('A2', { weight: 1, keywords: ['memory dump'] }),
      ],
    },
    {
      id: 'I2',
      offset_minutes: 20,
      objective_ids: ['O1', 'O2'],
      expected_actions: [action('A1', { weight: 2, target_minutes: 20, keywords: ['call authority'] })],
    },
    {
      id: 'I3',
      offset_minutes: 30,
      only_if: { inject_id: 'I1', action_id: 'A1', taken: false },
      expected_actions: [action('A1', { weight: 4, target_minutes: 5, keywords: ['shut network'] })],
    },
  );
  const decision = 'We isolated the hosts but did not dump the memory.';
  const responses = [
    answer('I1', [], { at_minutes: 15, decision }),
    answer('I2', ['A1'], { at_minutes: 35 }),
  ];
  const result = score(content, responses);
  const [i1, i2, i3] = result.injects;
  const [o1, o2] = result.objectives;
  expect(i3?.applied).toBe(false);
  expect(
    result.gaps.map((gap) => `${gap.inject_id} ${gap.action_id} ${gap.reason} (${gap.severity})`),
  ).toEqual(['I1 A1 late (high)', 'I1 A2 missed (low)']);

  const page = await readFile(new URL('../../../../docs/scoring.md', import.meta.url), 'utf8');
  const cells = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  const stated = (name: string) => Number(cells.find((row) => row[1]?.startsWith(name))?.[3]);
  expect(page).toContain(decision);
  expect(stated('inject I1')).toBe(i1?.score);
  expect(stated('inject I2')).toBe(i2?.score);
  expect(stated('objective O1')).toBe(o1?.score);
  expect(stated('objective O2')).toBe(o2?.score);
  expect(cells.filter((row) => row[1] === 'overall').map((row) => Number(row[3]))).toContain(result.overall);
  expect(page).toContain(
    `Overall ${result.overall} is rated ${result.rating} and is level ${result.maturity_level}.`,
  );
});
