import { describe, expect, test } from '@jest/globals';
import { extract } from '../extraction/extraction.rules.ts';
import { readDocument } from './document.rules.ts';
import { readKev } from './kev.rules.ts';
import { kindOf } from './kind.rules.ts';
import { manifestEntries } from './misp.rules.ts';

const readJson = (text: string) => readDocument(text, kindOf(text, 'application/json'), null);
const read = (value: unknown) => readJson(JSON.stringify(value));

const EVENT = {
  uuid: '5f1c9a3e-1111-4222-8333-944455556666',
  info: 'Loader campaign against banks',
  date: '2026-02-01',
  timestamp: '1769990400',
  threat_level_id: '1',
  Orgc: { name: 'Example CERT' },
  Tag: [
    { name: 'tlp:green' },
    { name: 'misp-galaxy:threat-actor="Sofacy"' },
    { name: 'misp-galaxy:mitre-attack-pattern="Phishing - T1566"' },
    { name: 'type:OSINT' },
  ],
  Galaxy: [
    {
      GalaxyCluster: [
        { type: 'ransomware', value: 'Sodinokibi', tag_name: 'misp-galaxy:ransomware="Sodinokibi"' },
      ],
    },
  ],
  Attribute: [
    {
      uuid: 'a',
      type: 'ip-dst|port',
      category: 'Network activity',
      value: '185.220.101.45|443',
      to_ids: true,
    },
    { uuid: 'b', type: 'domain|ip', value: 'evil-site.com|193.149.176.211', to_ids: '1' },
    { uuid: 'c', type: 'ip-src', value: '10.0.0.1', to_ids: true },
    { uuid: 'd', type: 'ip-src', value: '8.8.4.4', to_ids: false },
    { uuid: 'e', type: 'vulnerability', value: 'CVE-2026-11873' },
    { uuid: 'f', type: 'link', value: 'https://news.org/a' },
    { uuid: 'g', type: 'comment', value: 'They deleted the shadow copies.' },
    { uuid: 'h', type: 'sha256', value: 'not a hash', to_ids: true },
    null,
    { type: 7, value: { a: 1 } },
  ],
  Object: [
    {
      name: 'file',
      Attribute: [
        { type: 'md5', value: 'D9B1F6A5C3E84F7092AB1C3D5E7F9012', to_ids: true },
        { type: 'filename|sha1', value: 'a.exe|5a1f0c9be2d34f7681a9b0c2d4e6f8091a2b3c4d', to_ids: true },
      ],
    },
  ],
};

test('a MISP event', () => {
  const [reading] = read({ Event: EVENT });
  if (!reading) throw new Error('nothing was read');
  expect(reading).toMatchObject({
    format: 'misp',
    key: `misp:${EVENT.uuid}`,
    revision: '1769990400',
    title: EVENT.info,
    publisher: 'Example CERT',
    published_at: '2026-02-01T00:00:00.000Z',
    tlp: 'green',
    tags: ['type:OSINT'],
    references: ['https://news.org/a'],
  });
  const { extracted } = extract(reading);
  expect(extracted).toMatchObject({
    actors: ['APT28'],
    malware: ['REvil'],
    cves: ['CVE-2026-11873'],
    severity: 'high',
  });
  expect(extracted.techniques.map(({ id }) => id).toSorted()).toEqual(['T1490', 'T1566']);
  expect(extracted.indicators.map(({ type, value }) => `${type} ${value}`)).toEqual([
    'ipv4 185.220.101.45',
    'domain evil-site.com',
    'ipv4 193.149.176.211',
    'md5 d9b1f6a5c3e84f7092ab1c3d5e7f9012',
    'sha1 5a1f0c9be2d34f7681a9b0c2d4e6f8091a2b3c4d',
  ]);
});

test('several events are several items', () => {
  const other = { ...EVENT, uuid: '6f1c9a3e-1111-4222-8333-944455556666', info: 'Another' };
  expect(read({ response: [{ Event: EVENT }, { Event: other }, 3] }).map(({ title }) => title)).toEqual([
    EVENT.info,
    'Another',
  ]);
});

test('a manifest lists the latest change first', () => {
  const manifest = {
    [EVENT.uuid]: { timestamp: '100', info: 'a' },
    '6f1c9a3e-1111-4222-8333-944455556666': { timestamp: 200 },
    '../../etc/passwd': { timestamp: '300' },
  };
  expect(manifestEntries(manifest, 10).map(({ timestamp }) => timestamp)).toEqual(['200', '100']);
  expect(() => read({ [EVENT.uuid]: { timestamp: '100', info: 'a' } })).toThrow('manifest of a MISP feed');
});

const vulnerability = (cveID: string, dateAdded: string, known = 'Unknown') => ({
  cveID,
  vendorProject: 'Vendor',
  product: 'Gateway',
  vulnerabilityName: 'Gateway Injection',
  dateAdded,
  shortDescription: 'x',
  requiredAction: 'y',
  dueDate: '2026-03-01',
  knownRansomwareCampaignUse: known,
  cwes: [],
});

test('the KEV catalogue is one item that grows', () => {
  const catalogue = {
    title: 'CISA Catalog of Known Exploited Vulnerabilities',
    catalogVersion: '2026.02.03',
    dateReleased: '2026-02-03T14:00:00Z',
    count: 3,
    vulnerabilities: [
      vulnerability('CVE-2024-1111', '2025-01-01'),
      vulnerability('CVE-2026-2222', '2026-02-03', 'Known'),
      { cveID: 'x' },
    ],
  };
  const [reading] = read(catalogue);
  if (!reading) throw new Error('nothing was read');
  expect(reading).toMatchObject({
    format: 'kev',
    key: 'kev:catalogue',
    revision: '2026.02.03',
    publisher: 'CISA',
    published_at: '2026-02-03T14:00:00.000Z',
  });
  expect(reading.summary).toContain(
    '2 vulnerabilities known to be exploited, 1 of them in ransomware campaigns',
  );
  const { extracted } = extract(reading);
  expect(extracted).toMatchObject({
    cves: ['CVE-2026-2222', 'CVE-2024-1111'],
    severity: 'critical',
    techniques: [],
    indicators: [],
  });
});

test('a catalogue of the real size is read in time', () => {
  const vulnerabilities = Array.from({ length: 1500 }, (_, index) =>
    vulnerability(`CVE-2024-${10_000 + index}`, '2025-01-01'),
  );
  const began = performance.now();
  expect(extract(readKev({ catalogVersion: '1', vulnerabilities }, null)).extracted.cves).toHaveLength(1500);
  expect(performance.now() - began).toBeLessThan(3000);
});

describe('JSON that is refused in plain words', () => {
  test.each([
    ['something else', '{"hello": "world"}', 'It is JSON, but no STIX'],
    ['half of it', '{"type": "bundle", "objects": [', 'no valid JSON'],
    ['nesting beyond reason', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'nested deeper'],
    ['a catalogue of nothing', '{"catalogVersion": "1", "vulnerabilities": []}', 'without vulnerabilities'],
    ['events of nothing', '{"response": []}', 'without events'],
    ['a TAXII server', '{"title": "x", "api_roots": []}', 'TAXII server'],
  ])('%s', (_name, document, reason) => {
    expect(() => readJson(document)).toThrow(reason);
  });
});
