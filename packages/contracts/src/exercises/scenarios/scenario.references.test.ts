import { describe, expect, test } from '@jest/globals';
import { scenarioProblems, techniqueCanExist } from './scenario.references.ts';
import { type ScenarioContent, scenarioContent } from './scenario.schemas.ts';

const dependsOn = (inject_id: string, action_id = 'A1') => ({ inject_id, action_id, taken: true });

const firstInject = {
  id: 'I1',
  offset_minutes: 0,
  title: 'Encrypted shares',
  description: 'The service desk reports files that do not open.',
  to: ['incident_commander'],
  channel: 'phone',
  objective_ids: ['O1'],
  techniques: ['T1486'],
  expected_actions: [{ id: 'A1', text: 'Isolate the affected hosts', keywords: ['isolate host'] }],
  facilitator_notes: 'Ask how they know which hosts are affected.',
};

/** A scenario that holds together, with three injects one of which depends on the first. */
function sound(): ScenarioContent {
  return scenarioContent.parse({
    title: 'Ransomware: the first hour',
    summary: 'File servers stop answering; a note appears.',
    category: 'ransomware',
    difficulty: 'introductory',
    duration_minutes: 60,
    audience: ['technical'],
    threat: { techniques: ['T1486'] },
    roles: [{ id: 'incident_commander', name: 'Incident commander' }],
    objectives: [{ id: 'O1', title: 'Contain the spread', capability: 'containment' }],
    injects: [
      firstInject,
      { ...firstInject, id: 'I2', offset_minutes: 15 },
      { ...firstInject, id: 'I3', offset_minutes: 30, only_if: dependsOn('I1') },
    ],
  });
}
function brokenBy(damage: (content: ScenarioContent) => void): [string, string][] {
  const content = sound();
  damage(content);
  return scenarioProblems(content).map((problem) => [problem.path, problem.code]);
}

function injectOf(content: ScenarioContent, index: number) {
  const inject = content.injects[index];
  if (!inject) throw new Error(`there is no inject at ${index}`);
  return inject;
}
describe('scenarioProblems', () => {
  test('a scenario that holds together has none', () => {
    expect(scenarioProblems(sound())).toEqual([]);
  });

  test.each<[string, (content: ScenarioContent) => void, [string, string][]]>([
    ['a role twice', (c) => c.roles.push(...c.roles), [['/roles/1/id', 'duplicate']]],
    ['an objective twice', (c) => c.objectives.push(...c.objectives), [['/objectives/1/id', 'duplicate']]],
    [
      'an inject twice',
      (c) => c.injects.push({ ...injectOf(c, 0), offset_minutes: 40 }),
      [['/injects/3/id', 'duplicate']],
    ],
    [
      'an action twice in an inject',
      (c) => injectOf(c, 0).expected_actions.push(...structuredClone(injectOf(c, 0).expected_actions)),
      [['/injects/0/expected_actions/1/id', 'duplicate']],
    ],
    [
      'an unknown objective',
      (c) => injectOf(c, 1).objective_ids.push('O9'),
      [['/injects/1/objective_ids/1', 'unknown_reference']],
    ],
    [
      'an objective listed twice',
      (c) => injectOf(c, 1).objective_ids.push('O1'),
      [['/injects/1/objective_ids/1', 'duplicate']],
    ],
    ['an unknown role', (c) => injectOf(c, 0).to.push('nobody'), [['/injects/0/to/1', 'unknown_reference']]],
    [
      'a technique listed twice',
      (c) => injectOf(c, 0).techniques.push('T1486'),
      [['/injects/0/techniques/1', 'duplicate']],
    ],
    [
      'a technique that cannot exist',
      (c) => c.threat.techniques.push('T9999'),
      [['/threat/techniques/1', 'impossible_technique']],
    ],
    [
      'an inject after the end',
      (c) => Object.assign(injectOf(c, 2), { offset_minutes: 61 }),
      [['/injects/2/offset_minutes', 'beyond_duration']],
    ],
    [
      'a condition on an unknown inject',
      (c) => Object.assign(injectOf(c, 2), { only_if: dependsOn('I9') }),
      [['/injects/2/only_if/inject_id', 'unknown_reference']],
    ],
    [
      'a condition on an unknown action',
      (c) => Object.assign(injectOf(c, 2), { only_if: dependsOn('I1', 'A9') }),
      [['/injects/2/only_if/action_id', 'unknown_reference']],
    ],
    [
      'a condition on itself',
      (c) => Object.assign(injectOf(c, 2), { only_if: dependsOn('I3') }),
      [['/injects/2/only_if/inject_id', 'self_reference']],
    ],
    [
      'a condition on a later inject',
      (c) => Object.assign(injectOf(c, 0), { only_if: dependsOn('I2') }),
      [['/injects/0/only_if/inject_id', 'later_inject']],
    ],
    [
      'conditions that wait for each other',
      (c) => Object.assign(injectOf(c, 0), { only_if: dependsOn('I3') }),
      [
        ['/injects/0/only_if/inject_id', 'cycle'],
        ['/injects/2/only_if/inject_id', 'cycle'],
      ],
    ],
  ])('finds %s', (_, damage, expected) => {
    expect(brokenBy(damage)).toEqual(expected);
  });

  test('an inject at the last minute is in time, and the same action id may serve two injects', () => {
    expect(brokenBy((c) => Object.assign(injectOf(c, 2), { offset_minutes: 60 }))).toEqual([]);
  });

  test('order of play is that of the offsets, not of the list', () => {
    expect(brokenBy((c) => c.injects.reverse())).toEqual([]);
    expect(brokenBy((c) => Object.assign(injectOf(c, 2), { offset_minutes: 0 }))).toEqual([]);
  });

  test('an inject that depends on a cycle without being in it is not called one', () => {
    const problems = brokenBy((c) => {
      injectOf(c, 0).only_if = dependsOn('I2');
      injectOf(c, 1).only_if = dependsOn('I1');
    });
    expect(problems).toEqual([
      ['/injects/0/only_if/inject_id', 'cycle'],
      ['/injects/1/only_if/inject_id', 'cycle'],
    ]);
  });

  test('lists every problem at once, each with a message a person can act on', () => {
    const content = sound();
    injectOf(content, 0).objective_ids = ['O7', 'O8', 'O8'];
    injectOf(content, 1).techniques = ['T0001', 'T1566.000'];
    const problems = scenarioProblems(content);
    expect(problems.map((problem) => `${problem.path}: ${problem.message}`)).toEqual([
      '/injects/0/objective_ids/0: there is no objective "O7"',
      '/injects/0/objective_ids/1: there is no objective "O8"',
      '/injects/0/objective_ids/2: there is no objective "O8"',
      '/injects/0/objective_ids/2: objective "O8" is there twice',
      '/injects/1/techniques/0: ATT&CK has no number "T0001"',
      '/injects/1/techniques/1: ATT&CK has no number "T1566.000"',
    ]);
  });
});

test.each(['T0800', 'T0895', 'T1001', 'T1486', 'T1566.001', 'T1059.013', 'T1657', 'T1999'])(
  '%s can exist',
  (id) => {
    expect(techniqueCanExist(id)).toBe(true);
  },
);

test.each(['T0000', 'T0799', 'T1000', 'T2000', 'T9999', 'T1566.000', 'T1566.100'])(
  '%s cannot exist',
  (id) => {
    expect(techniqueCanExist(id)).toBe(false);
  },
);
