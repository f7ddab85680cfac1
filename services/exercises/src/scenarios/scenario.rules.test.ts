import { describe, expect, test } from '@jest/globals';
import { type ScenarioContent, scenarioContent, scenarioFilename } from '@muster/contracts';
import fc from 'fast-check';
import {
  brokenReferences,
  contentHash,
  fold,
  searchText,
  slugOf,
  summaryOf,
  techniqueCanExist,
} from './scenario.rules.ts';

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
  return brokenReferences(content).map((problem) => [problem.path, problem.code]);
}

function injectOf(content: ScenarioContent, index: number) {
  const inject = content.injects[index];
  if (!inject) throw new Error(`there is no inject at ${index}`);
  return inject;
}

describe('brokenReferences', () => {
  test('a scenario that holds together has none', () => {
    expect(brokenReferences(sound())).toEqual([]);
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
    const problems = brokenReferences(content);
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

describe('slugOf', () => {
  test.each([
    ['Ransomware at an acute hospital', 'ransomware-at-an-acute-hospital.json'],
    ['  Über Größe & Łódź: Ångström, Œuvre! ', 'uber-grosse-lodz-angstrom-oeuvre.json'],
    ['../../etc/passwd', 'etc-passwd.json'],
    ['“Q4” – 100 % remote?', 'q4-100-remote.json'],
  ])('%s', (title, filename) => {
    expect(slugOf(title)).toBe(filename);
  });

  test('titles without a Latin letter get different names of their own', () => {
    expect(slugOf('勒索软件演习')).toMatch(/^scenario-[0-9a-f]{12}\.json$/);
    expect(slugOf('勒索软件演习')).not.toBe(slugOf('Учения'));
  });

  test('is always a valid filename, and the same one for the same title', () => {
    const title = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ unit: fc.constantFrom('a', 'É', ' ', '-', '.', 'ß', '/'), maxLength: 200 }),
    );
    fc.assert(
      fc.property(title, (value) => {
        expect(scenarioFilename.safeParse(slugOf(value)).success).toBe(true);
        expect(slugOf(value)).toBe(slugOf(value));
      }),
    );
  });
});

/** The same value with the keys of every object in another order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reordered(member)]),
  );
}

describe('contentHash', () => {
  test('has the shape sha256:<hex>', () => {
    expect(contentHash(sound())).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  test('does not depend on key order, nor on what the server adds', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), fc.nat({ max: 60 }), (note, offset) => {
        const content = sound();
        Object.assign(injectOf(content, 0), { facilitator_notes: note, offset_minutes: offset });
        const stored = { ...(reordered(content) as ScenarioContent), filename: 'x.json', source: 'upload' };
        expect(contentHash(stored)).toBe(contentHash(content));
      }),
    );
  });

  test('changes with any change of the content, also of the order of injects', () => {
    const content = sound();
    const hashes = [
      content,
      { ...content, title: `${content.title}.` },
      { ...content, tags: [...content.tags, 'new'] },
      { ...content, injects: content.injects.toReversed() },
    ].map(contentHash);
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});

test('summaryOf counts, and lists the techniques of threat and injects once, sorted', () => {
  const content = sound();
  content.threat.techniques = ['T1566.001', 'T1486'];
  injectOf(content, 1).techniques = ['T1059.001', 'T1486'];
  expect(summaryOf(content)).toEqual({
    injects: 3,
    objectives: 1,
    techniques: ['T1059.001', 'T1486', 'T1566.001'],
  });
});

test('searchText finds what a person would type, whatever case and accents', () => {
  const content = { ...sound(), title: 'Rançongiciel à l’hôpital', category: 'supply_chain' as const };
  const text = searchText(content);
  for (const q of [
    'RANCONGICIEL',
    'hôpital',
    'supply chain',
    't1486',
    'Encrypted shares',
    'contain the spread',
  ])
    expect(text).toContain(fold(q));
  expect(text).not.toContain(fold('Ask how they know'));
});
