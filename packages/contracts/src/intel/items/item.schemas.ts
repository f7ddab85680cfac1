import { z } from 'zod';
import { EXAMPLE_ID, EXAMPLE_TIME, id, technique, text, timestamp } from '../../core/primitives.ts';
import { EVENT_SEVERITIES } from '../../security-ops/triage/triage.schemas.ts';
import { itemExample, spanExample } from './item.examples.ts';

/** What an item was read from. A TAXII collection holds STIX. */
export const INTEL_FORMATS = ['html', 'rss', 'atom', 'stix', 'misp', 'kev', 'text'] as const;
export type IntelFormat = (typeof INTEL_FORMATS)[number];

/** The labels of the Traffic Light Protocol 2.0, https://www.first.org/tlp/. */
export const TLP_LABELS = ['clear', 'green', 'amber', 'amber+strict', 'red'] as const;
export type TlpLabel = (typeof TLP_LABELS)[number];

export const INDICATOR_TYPES = ['ipv4', 'ipv6', 'domain', 'url', 'md5', 'sha1', 'sha256', 'email'] as const;
export type IndicatorType = (typeof INDICATOR_TYPES)[number];

export const intelSeverity = z.enum(EVENT_SEVERITIES);
export type IntelSeverity = z.output<typeof intelSeverity>;

const tlp = z.enum(TLP_LABELS);
const tag = text(80);
const tags = z.array(tag).max(50);
const name = text(120);
const cve = z
  .string()
  .transform((value) => value.toUpperCase())
  .pipe(z.string().regex(/^CVE-\d{4}-\d{4,7}$/, 'expected such as CVE-2024-3400'));

/** How something was found: by its form, by its id or name, by what is described, or said outright by a structured source. */
export const FOUND_BY = ['form', 'id', 'name', 'behaviour', 'given'] as const;
export type FoundBy = (typeof FOUND_BY)[number];

/** Words of the stored text; `start` and `end` count UTF-16 units, as JavaScript strings do. */
export const intelEvidence = z.object({
  quote: z.string(),
  start: z.int().min(0),
  end: z.int().min(0),
  how: z.enum(FOUND_BY),
});
export type IntelEvidence = z.output<typeof intelEvidence>;

export const SPAN_KINDS = [
  'technique',
  'indicator',
  'cve',
  'actor',
  'malware',
  'tool',
  'sector',
  'severity',
  'published',
  'date',
] as const;
export type SpanKind = (typeof SPAN_KINDS)[number];

/** One find in the stored text: what it is, and the words it was found in. */
export const intelSpan = intelEvidence
  .extend({ kind: z.enum(SPAN_KINDS), value: z.string() })
  .meta({ id: 'IntelSpan', example: spanExample });
export type IntelSpan = z.output<typeof intelSpan>;

export const indicator = z.object({
  type: z.enum(INDICATOR_TYPES),
  value: z.string(),
  /** The same in a form that nothing follows by accident, such as `evil[.]com`. */
  defanged: z.string(),
});
export type Indicator = z.output<typeof indicator>;

/** A technique that the item shows; without evidence where a person added it. */
export const intelTechnique = z.object({ id: technique, name: z.string(), evidence: z.array(intelEvidence) });
export type IntelTechnique = z.output<typeof intelTechnique>;

const item = {
  id,
  url: z.string().nullable(),
  format: z.enum(INTEL_FORMATS),
  title: z.string(),
  publisher: z.string().nullable(),
  published_at: timestamp.nullable(),
  summary: z.string(),
  actors: z.array(z.string()),
  malware: z.array(z.string()),
  tools: z.array(z.string()),
  techniques: z.array(intelTechnique),
  cves: z.array(z.string()),
  indicators: z.array(indicator),
  /** Addresses that the text only refers to, and hosts that everyone knows. */
  references: z.array(z.string()),
  sectors: z.array(z.string()),
  severity: intelSeverity,
  severity_reason: z.object({ text: z.string(), quote: z.string().nullable() }),
  tlp: tlp.nullable(),
  tags: z.array(z.string()),
  /** What was left out or could not be resolved, in sentences. */
  notes: z.array(z.string()),
  content_hash: z.string(),
  /** Whether a person changed what was extracted. */
  corrected: z.boolean(),
  /** The other items that came from the same feed or bundle. */
  related: z.array(id),
  version: z.int().min(1),
  ingested_at: timestamp,
  updated_at: timestamp,
};

export const intelItem = z.object(item).meta({ id: 'IntelItem', example: itemExample });
export type IntelItem = z.output<typeof intelItem>;

/** An item beside the text it was read from, with every find's place in it. */
export const intelItemDetail = z.object({ ...item, text: z.string(), spans: z.array(intelSpan) }).meta({
  id: 'IntelItemDetail',
  example: { ...itemExample, text: spanExample.quote, spans: [spanExample] },
});
export type IntelItemDetail = z.output<typeof intelItemDetail>;

/** A label as people write it: `TLP:AMBER`, `white`. */
const tlpInput = z
  .string()
  .transform((value) =>
    value
      .trim()
      .toLowerCase()
      .replace(/^tlp:/, '')
      .replace(/^white$/, 'clear'),
  )
  .pipe(tlp)
  .meta({ example: 'green' });

const MAX_URL = 2048;
const MAX_DOCUMENT = 1024 * 1024;

/** An address to fetch, or a document that is handed over. */
export const ingestInput = z
  .strictObject({
    url: z.string().trim().min(1).max(MAX_URL).optional(),
    document: z
      .union([z.string().min(1).max(MAX_DOCUMENT), z.record(z.string(), z.unknown())])
      .optional()
      .meta({ description: 'the text of a document; what is JSON may also stand here as it is' }),
    media_type: text(200).optional().meta({ description: 'what the document is; recognised if left out' }),
    tags: tags.default([]),
    tlp: tlpInput.optional(),
  })
  .refine(({ url, document }) => (url === undefined) !== (document === undefined), {
    path: ['url'],
    message: 'give either the url of a source or a document',
  })
  .refine(({ document, media_type }) => document !== undefined || media_type === undefined, {
    path: ['media_type'],
    message: 'only a document has a media type: what an address holds, it says itself',
  })
  .meta({
    id: 'IntelIngest',
    example: { url: 'https://news.example.org/2026/03/ransomware-on-file-servers', tags: ['ransomware'] },
  });
export type IngestInput = z.output<typeof ingestInput>;

const findings = z
  .strictObject({
    techniques: z.array(technique).max(200),
    indicators: z.array(z.strictObject({ type: z.enum(INDICATOR_TYPES), value: text(2000) })).max(1000),
    cves: z.array(cve).max(1000),
    actors: z.array(name).max(100),
    malware: z.array(name).max(100),
    tools: z.array(name).max(100),
    sectors: z.array(name).max(50),
  })
  .partial();

/** Indicators in one event at most; the item holds them all. */
export const MAX_EVENT_INDICATORS = 200;

/** What a person makes of what was extracted. It stays when the source is read again. */
export const intelPatch = z
  .strictObject({
    title: text(500),
    summary: text(4000),
    publisher: text(200).nullable(),
    published_at: timestamp.nullable(),
    severity: intelSeverity,
    tlp: tlpInput.nullable(),
    tags,
    add: findings,
    remove: findings,
  })
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, { message: 'name at least one field to change' })
  .meta({
    id: 'IntelPatch',
    example: { severity: 'high', add: { techniques: ['T1490'] }, remove: { actors: ['APT28'] } },
  });
export type IntelPatch = z.output<typeof intelPatch>;

/** A STIX 2.1 bundle, https://docs.oasis-open.org/cti/stix/v2.1/. */
export const stixBundle = z
  .object({
    type: z.literal('bundle'),
    id: z.string(),
    objects: z.array(z.record(z.string(), z.unknown())),
  })
  .meta({
    id: 'StixBundle',
    example: {
      type: 'bundle',
      id: `bundle--${EXAMPLE_ID}`,
      objects: [
        {
          type: 'report',
          spec_version: '2.1',
          id: `report--${EXAMPLE_ID}`,
          created: EXAMPLE_TIME,
          modified: EXAMPLE_TIME,
          name: itemExample.title,
          published: EXAMPLE_TIME,
          object_refs: [`identity--${EXAMPLE_ID}`],
        },
      ],
    },
  });
