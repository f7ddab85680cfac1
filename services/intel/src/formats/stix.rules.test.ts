import { describe, expect, test } from '@jest/globals';
import type { IntelItem } from '@muster/contracts';
import { extract } from '../extraction/extraction.rules.ts';
import { readDocument } from './document.rules.ts';
import { kindOf } from './kind.rules.ts';
import { readStix } from './stix.rules.ts';
import { objectsOf } from './stix-export.rules.ts';
import { patternValues } from './stix-pattern.rules.ts';

const uuid = (digit: number) => `00000000-0000-4000-8000-${String(digit).padStart(12, '0')}`;
const object = (type: string, digit: number, fields: object) => ({
  type,
  spec_version: '2.1',
  id: `${type}--${uuid(digit)}`,
  created: '2026-01-01T00:00:00.000Z',
  modified: '2026-01-02T00:00:00.000Z',
  ...fields,
});
const objects = [
  object('identity', 1, { name: 'Example CERT', identity_class: 'organization' }),
  object('report', 2, {
    name: 'Gateways under attack',
    description: 'The group deleted the shadow copies of hospitals that were hit.',
    published: '2026-01-03T00:00:00.000Z',
    created_by_ref: `identity--${uuid(1)}`,
    object_marking_refs: ['marking-definition--f88d31f6-486f-44da-b317-01333bde0b82'],
    labels: ['gateways'],
    object_refs: [
      `attack-pattern--${uuid(3)}`,
      `intrusion-set--${uuid(4)}`,
      `malware--${uuid(5)}`,
      `indicator--${uuid(6)}`,
      `vulnerability--${uuid(7)}`,
      `indicator--${uuid(99)}`,
    ],
  }),
  object('attack-pattern', 3, {
    name: 'Exploit Public-Facing Application',
    external_references: [{ source_name: 'mitre-attack', external_id: 'T1190' }],
  }),
  object('intrusion-set', 4, { name: 'Fancy Bear' }),
  object('malware', 5, { name: 'Sodinokibi', is_family: true }),
  object('indicator', 6, {
    pattern:
      "[ipv4-addr:value = '185.220.101.45' OR domain-name:value = 'evil-site.com'] AND [file:hashes.'SHA-256' = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08']",
    pattern_type: 'stix',
    valid_from: '2026-01-01T00:00:00Z',
  }),
  object('vulnerability', 7, { name: 'CVE-2026-11873' }),
];

test('a report, with what its objects say and what its words tell', () => {
  const [reading, ...others] = readStix({ type: 'bundle', id: 'bundle--1', objects }, null);
  if (!reading) throw new Error('nothing was read');
  expect(others).toEqual([]);
  expect(reading).toMatchObject({
    key: `stix:report--${uuid(2)}`,
    title: 'Gateways under attack',
    publisher: 'Example CERT',
    published_at: '2026-01-03T00:00:00.000Z',
    tlp: 'amber',
    tags: ['gateways'],
    notes: [`It refers to an object that it does not hold: indicator--${uuid(99)}.`],
  });
  const { extracted } = extract(reading);
  expect(extracted).toMatchObject({
    actors: ['APT28'],
    malware: ['REvil'],
    cves: ['CVE-2026-11873'],
    sectors: ['healthcare'],
  });
  expect(extracted.techniques.map(({ id }) => id)).toEqual(['T1490', 'T1190']);
  expect(extracted.indicators.map(({ value }) => value)).toEqual([
    '185.220.101.45',
    'evil-site.com',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ]);
});

test('a bundle without reports is one item', () => {
  const [reading] = readStix(
    { type: 'bundle', id: 'bundle--7', objects: objects.filter(({ type }) => type !== 'report') },
    null,
  );
  expect(reading).toMatchObject({ key: 'stix:bundle--7', format: 'stix' });
  expect(reading && extract(reading).extracted.actors).toEqual(['APT28']);
});

test.each([
  ['no objects', { type: 'bundle', objects: [] }],
  [
    'objects that are none',
    { type: 'bundle', objects: [1, null, 'x', { type: 'report' }, { id: 'x--y' }, []] },
  ],
  ['objects that are no list', { type: 'bundle', objects: { a: 1 } }],
])('a bundle with %s is refused', (_name, bundle) => {
  expect(() => readStix(bundle, null)).toThrow('without objects');
});

test('a broken object does not take the others with it', () => {
  const odd = [
    object('report', 8, {
      name: 7,
      object_refs: 'x',
      labels: [null],
      external_references: 'y',
      published: 'never',
    }),
    object('indicator', 9, { pattern: 42 }),
    { type: 'x' },
  ];
  const readings = readStix({ type: 'bundle', objects: [...objects, ...odd] }, null);
  expect(readings.map(({ title }) => title)).toEqual(['Gateways under attack', '7']);
  expect(readings[0]?.notes[0]).toContain('1 entries of the bundle');
});

describe('a pattern', () => {
  test.each([
    ["[url:value = 'http://a.b/c\\'d']", ["url http://a.b/c'd"]],
    ["[ipv4-addr:value IN ('1.1.1.2', '1.1.1.3')]", ['ipv4 1.1.1.2', 'ipv4 1.1.1.3']],
    ["[file:hashes.MD5 = 'aa' AND file:hashes.'SHA-1' = 'bb']", ['md5 aa', 'sha1 bb']],
    ["[email-addr:value = 'a@b.c']", ['email a@b.c']],
    ["[process:name = 'x' OR ipv4-addr:value != '9.9.9.9']", []],
  ])('%s', (pattern, values) => {
    expect(patternValues(pattern).map(({ type, value }) => `${type} ${value}`)).toEqual(values);
  });
});

const SAID = [
  ...(['title', 'publisher', 'published_at', 'summary', 'severity', 'tlp', 'tags'] as const),
  ...(['actors', 'malware', 'tools', 'cves', 'sectors'] as const),
] as const;
const ITEM: IntelItem = {
  id: '01923f5e-7b1a-7c3d-9e2f-5a6b7c8d9e0f',
  url: 'https://news.org/a',
  format: 'html',
  title: "It's a title",
  publisher: 'News',
  published_at: '2026-01-01T00:00:00.000Z',
  summary: 'What happened.',
  actors: ['APT28'],
  malware: ['REvil'],
  tools: ['Mimikatz'],
  techniques: [{ id: 'T1490', name: 'Inhibit System Recovery', evidence: [] }],
  cves: ['CVE-2026-11873'],
  indicators: [
    { type: 'ipv4', value: '185.220.101.45', defanged: '' },
    { type: 'url', value: "https://evil-site.com/a'b\\c", defanged: '' },
    { type: 'sha1', value: '5a1f0c9be2d34f7681a9b0c2d4e6f8091a2b3c4d', defanged: '' },
  ],
  references: [],
  sectors: ['healthcare'],
  severity: 'high',
  severity_reason: { text: '', quote: null },
  tlp: 'amber+strict',
  tags: ['one'],
  notes: [],
  content_hash: '',
  corrected: false,
  related: [],
  version: 3,
  ingested_at: '2026-01-02T00:00:00.000Z',
  updated_at: '2026-01-03T00:00:00.000Z',
};

describe('an export', () => {
  const exported = objectsOf(ITEM, 'org').map(({ object }) => object);

  test('has what STIX 2.1 asks of each object, and refers to nothing that is not there', () => {
    const known = new Set(exported.map(({ id }) => id));
    expect(known.size).toBe(exported.length);
    for (const one of exported) {
      expect(one).toMatchObject({ spec_version: '2.1', created: expect.any(String) });
      expect(one.id).toMatch(
        new RegExp(`^${one.type}--[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`),
      );
      if (one.type !== 'marking-definition') expect(one.modified).toEqual(expect.any(String));
      if (one.type === 'indicator')
        expect(one).toMatchObject({ pattern_type: 'stix', valid_from: expect.any(String) });
      const refs = [
        one.source_ref,
        one.target_ref,
        one.created_by_ref,
        one.object_refs,
        one.object_marking_refs,
      ].flat();
      for (const ref of refs) if (ref !== undefined) expect(known).toContain(ref);
    }
    expect(exported.filter(({ type }) => type === 'relationship').length).toBeGreaterThan(4);
  });

  test('is the same every time', () => {
    expect(objectsOf(ITEM, 'org').map(({ object }) => object)).toEqual(exported);
  });

  test('is read back as what it was', () => {
    const bundle = JSON.stringify({ type: 'bundle', id: 'bundle--1', objects: exported });
    const [reading] = readDocument(bundle, kindOf(bundle, 'application/stix+json'), null);
    if (!reading) throw new Error('nothing was read');
    const { extracted } = extract(reading);
    for (const field of SAID) expect(extracted[field]).toEqual(ITEM[field]);
    expect(extracted.techniques.map(({ id }) => id)).toEqual(['T1490']);
    expect(extracted.indicators.map(({ value }) => value)).toEqual(ITEM.indicators.map(({ value }) => value));
    expect(reading.url).toBe(ITEM.url);
    expect(reading.notes).toEqual([]);
  });
});
