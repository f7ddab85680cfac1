import { expect, test } from '@jest/globals';
import type { Extraction } from '../extraction/extraction.rules.ts';
import { corrected, merged, unknownTechniques } from './correction.rules.ts';
import { askedWords, searchWords } from './search.rules.ts';

const EXTRACTION: Extraction = {
  title: 'Quiet harbour',
  publisher: 'News',
  published_at: null,
  summary: 'What happened.',
  actors: ['APT28'],
  malware: ['Cobalt Strike'],
  tools: [],
  techniques: [{ id: 'T1110.003', name: 'Password Spraying', evidence: [] }],
  cves: ['CVE-2026-1111'],
  indicators: [{ type: 'domain', value: 'evil-site.com', defanged: 'evil-site[.]com' }],
  references: [],
  sectors: [],
  severity: 'medium',
  severity_reason: { text: 'x', quote: null },
  tlp: null,
  tags: ['one'],
  notes: [],
};

test('fields are set, finds added and removed, and nothing else changes', () => {
  const said = corrected(EXTRACTION, {
    severity: 'high',
    add: {
      actors: ['FIN7', 'apt28'],
      techniques: ['T1490', 'T1110.003'],
      indicators: [{ type: 'ipv4', value: '185.220.101.45' }],
    },
    remove: { malware: ['cobalt strike'], indicators: [{ type: 'domain', value: 'EVIL-site.com' }] },
  });
  expect(said).toEqual({
    ...EXTRACTION,
    severity: 'high',
    severity_reason: { text: 'Set by a person.', quote: null },
    actors: ['APT28', 'FIN7'],
    malware: [],
    techniques: [...EXTRACTION.techniques, { id: 'T1490', name: 'Inhibit System Recovery', evidence: [] }],
    indicators: [{ type: 'ipv4', value: '185.220.101.45', defanged: '185[.]220[.]101[.]45' }],
  });
  expect(corrected(EXTRACTION, {})).toEqual(EXTRACTION);
});

test('a later correction takes an earlier one back', () => {
  const once = merged({}, { title: 'A', add: { actors: ['FIN7'] }, remove: { cves: ['CVE-2026-1111'] } });
  const twice = merged(once, {
    summary: 'B',
    add: { cves: ['CVE-2026-1111'] },
    remove: { actors: ['fin7'] },
  });
  const { title, summary, actors, cves } = corrected(EXTRACTION, twice);
  expect([title, summary, actors, cves]).toEqual(['A', 'B', ['APT28'], ['CVE-2026-1111']]);
});

test('techniques that ATT&CK does not know are named by their place', () => {
  expect(
    unknownTechniques({ add: { techniques: ['T1490', 'T9999'] }, remove: { techniques: ['T8888'] } }),
  ).toEqual([
    { path: '/add/techniques/1', id: 'T9999' },
    { path: '/remove/techniques/0', id: 'T8888' },
  ]);
});

test('an item is found by its words, the beginnings of its title, its ids and its indicators', () => {
  const words = new Set(searchWords(EXTRACTION));
  for (const question of [
    'quiet harbour',
    'HARB',
    'cobalt-strike'.replace('-', ' '),
    'cve-2026-1111',
    'T1110.003',
    'evil-site[.]com',
    'spraying',
    'apt28',
  ])
    for (const word of askedWords(question)) expect(words).toContain(word);
  for (const word of askedWords('loud "storm" evil')) expect(words).not.toContain(word);
});
