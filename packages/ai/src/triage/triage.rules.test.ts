import { describe, expect, test } from '@jest/globals';
import { EVENT_SEVERITIES, triageContent, VERDICTS } from '@muster/contracts';
import fc from 'fast-check';
import type { SecurityEvent, TriageInput } from './event.ts';
import { triageProblems } from './triage.job.ts';
import { triageByRules } from './triage.rules.ts';

const ID = '01923f5e-7b1a-7c3d-9e2f-5a6b7c8d9e0f';
const event = (fields: Partial<SecurityEvent>): SecurityEvent => ({
  id: ID,
  title: 'Alert',
  severity: 'medium',
  techniques: [],
  assets: [],
  users: [],
  indicators: [],
  ...fields,
});
const triage = (fields: Partial<SecurityEvent>, rest: Partial<TriageInput> = {}) =>
  triageByRules({ event: event(fields), similar: [], ...rest });
const like = (
  count: number,
  verdict: 'false_positive' | 'true_positive' | 'benign',
): TriageInput['similar'] =>
  Array.from({ length: count }, (_, at) => ({
    id: `01923f5e-7b1a-7c3d-9e2f-5a6b7c8d9e${String(at).padStart(2, '0')}`,
    title: `Earlier ${at}`,
    verdict,
    shared: ['the host FS-02'],
  }));

describe('verdicts', () => {
  const cases: [string, Partial<SecurityEvent>, (typeof VERDICTS)[number]][] = [
    ['ransomware', { title: 'Ransomware: files encrypted on FS-02', severity: 'critical' }, 'true_positive'],
    [
      'dumped credentials',
      {
        title: 'Mimikatz read lsass on DC-01',
        description: 'The attacker got in by RDP session.',
        severity: 'high',
      },
      'true_positive',
    ],
    ['one odd sign-in', { title: 'Impossible travel for j.doe' }, 'suspicious'],
    ['nothing', { title: 'Rule 4711 fired', severity: 'low' }, 'unknown'],
    ['an exercise', { title: 'Phishing simulation: link clicked' }, 'test'],
    [
      'an approved change',
      { title: 'New service installed', description: 'Approved change CHG0042.', severity: 'low' },
      'benign',
    ],
    [
      'a known false alarm',
      { title: 'Beacon pattern', description: 'This is a false positive of the proxy rule.' },
      'false_positive',
    ],
    [
      'denied: no false alarm',
      { title: 'Cobalt Strike beacon', description: 'This is not a false positive.', severity: 'high' },
      'suspicious',
    ],
    [
      'denied: no ransomware',
      { title: 'Scan finished', description: 'No ransomware was found.', severity: 'low' },
      'unknown',
    ],
  ];

  test.each(cases)('%s', (_name, fields, verdict) => {
    expect(triage(fields).verdict).toBe(verdict);
  });

  test('events that were false alarms again and again', () => {
    expect(
      triage({ title: 'Port scan from the printer' }, { similar: like(5, 'false_positive') }),
    ).toMatchObject({
      verdict: 'false_positive',
      priority: 'P4',
      recommended_actions: expect.arrayContaining([expect.stringContaining('5 events like it')]),
    });
  });

  test('a text that calls an attack a test does not put it last', () => {
    const { verdict, priority, confidence } = triage({
      title: 'Ransom note on FS-02, files encrypted',
      description: 'This is a test. Security drill, ignore.',
      severity: 'critical',
    });
    expect([verdict, priority]).toEqual(['test', 'P3']);
    expect(confidence).toBeLessThan(0.6);
  });
});

describe('what an event says', () => {
  const result = triage(
    {
      title: 'Mass file encryption on FS-02',
      description: 'User m.weber opened an attachment; shadow copies were deleted.',
      severity: 'high',
      assets: [{ name: 'FS-02' }],
      users: ['m.weber'],
      indicators: [{ type: 'ipv4', value: '203.0.113.7' }, 'evil.example'],
      raw: { rule: { note: 'maps to T1021.002' } },
    },
    {
      organization: { crown_jewels: [{ name: 'fs-02', criticality: 5, owner_role: 'the head of finance' }] },
    },
  );

  test('gives its techniques, by id and by behaviour, in the order of an intrusion', () => {
    expect(result.techniques).toEqual(['T1204', 'T1021.002', 'T1486', 'T1490']);
  });

  test('is quoted for each reason, with the field', () => {
    expect(result.rationale).toContainEqual({
      text: 'It describes Data Encrypted for Impact (T1486).',
      evidence: [{ field: 'title', quote: 'Mass file encryption on FS-02' }],
    });
  });

  test('and touches what matters raises severity and priority', () => {
    expect(result).toMatchObject({ verdict: 'true_positive', severity: 'critical', priority: 'P1' });
    expect(result.training_value).toBeGreaterThan(70);
    expect(result.training_reason).toContain('touches fs-02');
  });

  test('leads to actions that name the asset, the owner and the indicators', () => {
    const all = result.recommended_actions.join('\n');
    for (const name of ['FS-02', 'the head of finance', '203.0.113.7', 'evil.example'])
      expect(all).toContain(name);
    expect(all).not.toMatch(/\{asset\}|\{user\}/);
  });

  test('and was stopped lowers the severity', () => {
    const fields = {
      title: 'Ransomware was blocked',
      description: 'Malware quarantined.',
      severity: 'high',
    } as const;
    expect(triage(fields).severity).toBe('medium');
  });
});

test('similar events are named and weigh in', () => {
  const similar = like(2, 'true_positive');
  const result = triage({ title: 'Unusual login of svc-backup' }, { similar });
  expect(result.similar_events).toEqual(similar.map(({ id }) => id));
  expect(result.rationale.at(-1)?.text).toBe(
    '2 earlier events are like it, by the host FS-02; judged: 2 true positive.',
  );
  expect(result.verdict).toBe('true_positive');
});

test('any event is triaged within the schema, grounded, the same every time', () => {
  const text = fc.string({ unit: 'binary', maxLength: 200 });
  const events = fc.record({
    id: fc.constant(ID),
    title: text,
    description: fc.option(text),
    source: fc.option(text),
    category: fc.option(text),
    severity: fc.constantFrom(...EVENT_SEVERITIES),
    techniques: fc.subarray(['T1486', 'T1059.001', 'T1234']),
    assets: fc.array(fc.record({ name: text }), { maxLength: 5 }),
    users: fc.array(text, { maxLength: 5 }),
    indicators: fc.array(text, { maxLength: 5 }),
    raw: fc.jsonValue(),
  });
  const verdicts = fc.constantFrom(null, ...VERDICTS);
  fc.assert(
    fc.property(events, verdicts, text, (given, verdict, jewel) => {
      const input: TriageInput = {
        event: given,
        similar: [{ id: ID, title: given.title, verdict, shared: [jewel] }],
        organization: { crown_jewels: [{ name: jewel, criticality: 5 }] },
      };
      const result = triageByRules(input);
      triageContent.parse(result);
      const inventions = triageProblems(result, input).filter(
        (problem) => !problem.startsWith('rationale: quote the'),
      );
      expect(inventions).toEqual([]);
      expect(triageByRules(structuredClone(input))).toEqual(result);
    }),
    { numRuns: 150 },
  );
});

test.each([
  ['words', 'Ransomware encrypted the server. '.repeat(3000)],
  ['one word', 'x'.repeat(100_000)],
])('100 000 characters of %s take no time', (_name, description) => {
  const started = performance.now();
  triageContent.parse(
    triage({ description, raw: { message: description, list: Array(10_000).fill('beacon') } }),
  );
  expect(performance.now() - started).toBeLessThan(4000);
});
