import { describe, expect, test } from '@jest/globals';
import { DIFFICULTIES, scenarioContent, scenarioProblems } from '@muster/contracts';
import fc from 'fast-check';
import { keywordsOf, readDecision } from '../evidence/evidence.rules.ts';
import type { ScenarioInput } from './intel.ts';
import { generatedProblems } from './scenario.job.ts';
import { scenarioByRules } from './scenario.rules.ts';

const item = {
  title: 'LockBit affiliates exploit a flaw in NetScaler',
  summary: 'Affiliates hijack sessions, dump credentials and encrypt files.',
  publisher: 'CISA',
  published_at: '2023-11-21T00:00:00.000Z',
  actors: ['LockBit'],
  malware: ['LockBit 3.0'],
  techniques: ['T1190', 'T1539', 'T1003.001', 'T1021.001', 'T1486', 'T9999', 'hello'].map((id) => ({
    id,
    evidence: `words on ${id}`,
  })),
  cves: ['CVE-2023-4966'],
  sectors: ['aerospace'],
};
const profile = {
  industry: 'Healthcare',
  regulations: ['GDPR', 'NIS2'],
  tech_stack: [
    { name: 'NetScaler Gateway', category: 'remote access' },
    { name: 'VMware cluster', category: 'virtualization' },
  ],
  crown_jewels: [
    { name: 'Cafeteria menu', criticality: 1 },
    { name: 'Orbis patient record', criticality: 5 },
  ],
  critical_roles: [{ role: 'Chief Medical Officer' }, { role: 'CISO' }],
};
const supplied = {
  ...item,
  title: 'A trojanized update',
  summary: 'Supply chain.',
  techniques: [{ id: 'T1195.002' }],
  malware: [],
};
const bare = {
  ...item,
  title: 'x',
  summary: '',
  actors: [],
  malware: [],
  techniques: [],
  cves: [],
  sectors: [],
  publisher: null,
};
const inputs: [string, ScenarioInput][] = [
  ['a full profile', { item, profile }],
  ['no profile', { item }],
  ['an item that says nothing', { item: bare }],
  ['an advanced table', { item, profile, wish: { difficulty: 'advanced' } }],
  ['a supplier', { item: supplied, profile: { regulations: ['DORA (EU)'] } }],
  ['all laws', { item: bare, profile: { regulations: ['nis2', 'gdpr', 'dora'] } }],
];

describe.each(inputs)('with %s', (_name, input) => {
  const scenario = scenarioByRules(input);

  test('it is what an upload may be, and says nothing that the item does not', () => {
    expect(scenarioContent.parse(scenario)).toEqual(scenario);
    expect(scenarioProblems(scenario)).toEqual([]);
    expect(generatedProblems(scenario, input)).toEqual([]);
  });

  test('it can be run: injects in order, contingency and complexity, few critical actions', () => {
    expect(scenario.injects.length).toBeGreaterThanOrEqual(8);
    const minutes = scenario.injects.map(({ offset_minutes }) => offset_minutes);
    expect(minutes).toEqual([...new Set(minutes)].toSorted((one, other) => one - other));
    const types = scenario.injects.map(({ type }) => type);
    expect(types).toEqual(expect.arrayContaining(['contingency', 'complexity']));
    const actions = scenario.injects.flatMap(({ expected_actions }) => expected_actions);
    expect(actions.filter(({ critical }) => critical).length).toBeLessThan(actions.length / 2);
    const addressed = new Set(scenario.injects.flatMap(({ to }) => to));
    for (const { id } of scenario.roles) expect(addressed).toContain(id);
  });

  test('a table that says an action is credited with that one alone', () => {
    const shows = (text: string, keywords: readonly string[]) =>
      readDecision(text).showing(keywordsOf(keywords)) !== null;
    for (const { expected_actions } of scenario.injects) {
      for (const action of expected_actions) {
        const shown = expected_actions.filter(({ keywords }) => shows(action.text, keywords));
        expect([action.text, shown.map(({ id }) => id)]).toEqual([action.text, [action.id]]);
      }
    }
  });
});

test('it is drawn from the item: names, flaw, techniques where they belong, words of the report for the facilitator', () => {
  const scenario = scenarioByRules({ item });
  expect(scenario).toMatchObject({
    category: 'ransomware',
    title: expect.stringContaining('LockBit'),
    industries: ['aerospace'],
  });
  expect(scenario.threat.techniques).toEqual(['T1190', 'T1003.001', 'T1539', 'T1021.001', 'T1486']);
  expect(scenario.injects[0]?.description).toContain('CISA reports');
  expect(scenario.injects[1]).toMatchObject({
    techniques: ['T1190'],
    description: expect.stringContaining('CVE-2023-4966'),
  });
  expect(scenario.injects[1]?.facilitator_notes).toContain('words on T1190');
  const spans = {
    ...item,
    techniques: [{ id: 'T1190', evidence: [{ quote: 'words of a span', start: 0, end: 15 }] }],
  };
  expect(scenarioByRules({ item: spans }).injects[1]?.facilitator_notes).toContain('words of a span');
});

test('it fits the profile: systems, roles, industry, clocks', () => {
  const scenario = scenarioByRules({ item, profile });
  const told = scenario.injects.map(({ description }) => description).join('\n');
  for (const name of ['NetScaler Gateway', 'VMware cluster', 'Orbis patient record', 'patients'])
    expect(told).toContain(name);
  expect(told).not.toContain('Cafeteria');
  expect(scenario.roles.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['CISO', 'Chief Medical Officer']),
  );
  const duties = scenario.injects.find(({ regulatory }) => regulatory);
  expect(duties?.regulatory).toEqual(['gdpr', 'nis2']);
  expect(duties?.expected_actions.flatMap(({ reports }) => reports ?? [])).toEqual(['gdpr-72h', 'nis2-24h']);
});

test('without a profile it is neutral, and no law is assumed', () => {
  const scenario = scenarioByRules({ item });
  const told = JSON.stringify(scenario);
  expect(told).not.toMatch(/patient|NetScaler Gateway|GDPR/);
  expect(scenario.injects.some(({ regulatory }) => regulatory)).toBe(false);
});

test('it keeps to what was wished', () => {
  const wish = { difficulty: 'introductory', audience: ['technical'], duration_minutes: 20 } as const;
  const scenario = scenarioByRules({ item, wish: { ...wish, audience: [...wish.audience] } });
  expect(scenario).toMatchObject(wish);
  expect(scenarioProblems(scenario)).toEqual([]);
});

test('any item gives a valid scenario, the same every time', () => {
  const text = fc.string({ unit: 'binary', maxLength: 200 });
  const names = fc.array(text, { maxLength: 40 });
  const items = fc.record({
    title: text,
    summary: fc.oneof(text, fc.constant('x '.repeat(50_000))),
    publisher: fc.option(text),
    published_at: fc.option(text),
    actors: names,
    malware: names,
    cves: names,
    sectors: names,
    techniques: fc.array(
      fc.record({
        id: fc.oneof(text, fc.stringMatching(/^T1[0-6]\d\d(\.0\d\d)?$/), fc.constantFrom('T0831', 't1566')),
        evidence: fc.oneof(text, fc.constant(null), fc.array(fc.record({ quote: text }), { maxLength: 2 })),
      }),
      { maxLength: 100 },
    ),
  });
  const profiles = fc.option(
    fc.record({
      industry: fc.oneof(text, fc.constantFrom('Banking', 'Energy', 'Public administration')),
      regulations: fc.subarray(['GDPR', 'NIS2', 'DORA']),
      tech_stack: fc.array(fc.record({ name: text, category: text }), { maxLength: 5 }),
      crown_jewels: fc.array(fc.record({ name: text, criticality: fc.nat(5) }), { maxLength: 5 }),
      critical_roles: fc.array(fc.record({ role: text }), { maxLength: 5 }),
    }),
  );
  const wishes = fc.record({
    difficulty: fc.constantFrom(...DIFFICULTIES),
    duration_minutes: fc.integer({ min: 5, max: 480 }),
  });
  fc.assert(
    fc.property(items, profiles, wishes, (given, who, wish) => {
      const input = { item: given, profile: who, wish };
      const scenario = scenarioByRules(input);
      expect(generatedProblems(scenarioContent.parse(scenario), input)).toEqual([]);
      expect(scenarioByRules(structuredClone(input))).toEqual(scenario);
    }),
    { numRuns: 80 },
  );
});
