import { EXAMPLE_ID, EXAMPLE_TIME } from '../../core/primitives.ts';

// One report and what was read from it, as the documents show it.

const QUOTE = 'The intruders deleted shadow copies before they encrypted the file servers.';

export const spanExample = {
  kind: 'technique',
  value: 'T1490',
  quote: QUOTE,
  start: 0,
  end: QUOTE.length,
  how: 'behaviour',
} as const;

const { quote, start, end, how } = spanExample;

export const itemExample = {
  id: EXAMPLE_ID,
  url: 'https://news.example.org/2026/03/ransomware-on-file-servers',
  format: 'html',
  title: 'Ransomware on file servers',
  publisher: 'Example News',
  published_at: EXAMPLE_TIME,
  summary: 'A ransomware group enters through unpatched gateways and deletes backups first.',
  actors: ['Akira'],
  malware: ['Akira'],
  tools: ['Rclone'],
  techniques: [{ id: 'T1490', name: 'Inhibit System Recovery', evidence: [{ quote, start, end, how }] }],
  cves: ['CVE-2024-40766'],
  indicators: [{ type: 'domain', value: 'update-check.example', defanged: 'update-check[.]example' }],
  references: ['https://www.cisa.gov/stopransomware'],
  sectors: ['healthcare'],
  severity: 'high',
  severity_reason: { text: 'Describes ransomware in use.', quote },
  tlp: 'clear',
  tags: ['ransomware'],
  notes: [],
  content_hash: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  corrected: false,
  related: [],
  version: 1,
  ingested_at: EXAMPLE_TIME,
  updated_at: EXAMPLE_TIME,
} as const;
