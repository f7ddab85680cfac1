import { z } from 'zod';
import { defineEvent } from '../../core/event.ts';
import { id, technique, timestamp } from '../../core/primitives.ts';
import { itemExample } from './item.examples.ts';
import {
  INDICATOR_TYPES,
  INTEL_FORMATS,
  intelSeverity,
  MAX_EVENT_INDICATORS,
  TLP_LABELS,
} from './item.schemas.ts';

const {
  id: item_id,
  url,
  format,
  title,
  publisher,
  published_at,
  summary,
  severity,
  tlp,
  tags,
} = itemExample;
const { actors, malware, tools, cves, sectors, content_hash, ingested_at } = itemExample;

export const intelItemIngested = defineEvent({
  type: 'intel.item.ingested.v1',
  source: 'intel',
  summary: 'A piece of threat intelligence was read, read again with another content, or corrected.',
  aggregate: 'item',
  data: z.object({
    item_id: id,
    url: z.string().nullable(),
    format: z.enum(INTEL_FORMATS),
    title: z.string(),
    publisher: z.string().nullable(),
    published_at: timestamp.nullable(),
    summary: z.string(),
    severity: intelSeverity,
    tlp: z.enum(TLP_LABELS).nullable(),
    tags: z.array(z.string()),
    actors: z.array(z.string()),
    malware: z.array(z.string()),
    tools: z.array(z.string()),
    techniques: z.array(z.object({ id: technique, name: z.string() })),
    cves: z.array(z.string()),
    sectors: z.array(z.string()),
    indicators: z
      .array(z.object({ type: z.enum(INDICATOR_TYPES), value: z.string() }))
      .max(MAX_EVENT_INDICATORS),
    indicators_count: z.int().min(0),
    content_hash: z.string(),
    ingested_at: timestamp,
  }),
  example: {
    item_id,
    url,
    format,
    title,
    publisher,
    published_at,
    summary,
    severity,
    tlp,
    tags: [...tags],
    actors: [...actors],
    malware: [...malware],
    tools: [...tools],
    cves: [...cves],
    techniques: itemExample.techniques.map(({ id, name }) => ({ id, name })),
    sectors: [...sectors],
    indicators: itemExample.indicators.map(({ type, value }) => ({ type, value })),
    indicators_count: 1,
    content_hash,
    ingested_at,
  },
});

export const intelItemRemoved = defineEvent({
  type: 'intel.item.removed.v1',
  source: 'intel',
  summary: 'A piece of threat intelligence was removed.',
  aggregate: 'item',
  data: z.object({ item_id: id }),
  example: { item_id },
});
