import { describe, expect, test } from '@jest/globals';
import { type ScenarioContent, scenarioContent, scenarioFilename } from '@muster/contracts';
import fc from 'fast-check';
import { contentHash, fold, searchText, slugOf, summaryOf } from './scenario.rules.ts';

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
function injectOf(content: ScenarioContent, index: number) {
  const inject = content.injects[index];
  if (!inject) throw new Error(`there is no inject at ${index}`);
  return inject;
}
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
