import type { IntelFormat, IntelItem, IntelItemDetail, IntelPatch } from '@muster/contracts';
import { collection, Mixed, repository, type Stored } from '@muster/service-kit';
import type { Extracted } from '../extraction/extraction.rules.ts';
import type { Find } from '../formats/reading.rules.ts';

/** What people changed of an item: fields, and finds added and taken out. Kept when its source is read again. */
export type Corrections = IntelPatch;

export interface ItemDoc extends Stored, Omit<Extracted, 'published_at'> {
  /** Each way in which this item is known again: its addresses, its source's id, its content. No two items share one. */
  keys: string[];
  version: number;
  /** The source's own version of it, such as a time of change. */
  revision: string | null;
  url: string | null;
  format: IntelFormat;
  published_at: Date | null;
  /** When it was published, or else ingested: what lists go by. */
  dated_at: Date;
  content_hash: string;
  corrected: boolean;
  related: string[];
  /** What lists filter by: technique ids with their parents, folded actors, words. */
  technique_ids: string[];
  actor_keys: string[];
  words: string[];
  ingested_at: Date;
  updated_at: Date;
  expires_at: Date;
}

/** An item's text and all that was found in it, beside the item so that lists stay light. `_id` is the item's. */
export interface ItemTextDoc extends Stored {
  text: string;
  finds: Find[];
  /** As extracted, before corrections. */
  extracted: Extracted;
  corrections: Corrections;
  expires_at: Date;
}

const required = <T>(type: T) => ({ type, required: true });

export const itemCollection = collection<ItemDoc>({
  name: 'intel_items',
  fields: {
    keys: [String],
    version: required(Number),
    revision: { type: String, default: null },
    url: { type: String, default: null },
    format: required(String),
    title: required(String),
    publisher: { type: String, default: null },
    published_at: { type: Date, default: null },
    dated_at: required(Date),
    summary: { type: String, default: '' },
    actors: [String],
    malware: [String],
    tools: [String],
    techniques: required(Mixed),
    cves: [String],
    indicators: required(Mixed),
    references: [String],
    sectors: [String],
    severity: required(String),
    severity_reason: required(Mixed),
    tlp: { type: String, default: null },
    tags: [String],
    notes: [String],
    content_hash: required(String),
    corrected: required(Boolean),
    related: [String],
    technique_ids: [String],
    actor_keys: [String],
    words: [String],
    ingested_at: required(Date),
    updated_at: required(Date),
    expires_at: required(Date),
  },
  indexes: [
    [{ org_id: 1, keys: 1 }, { unique: true }],
    [{ org_id: 1, _id: -1 }],
    [{ org_id: 1, words: 1, _id: -1 }],
    [{ org_id: 1, technique_ids: 1, _id: -1 }],
    [{ org_id: 1, actor_keys: 1, _id: -1 }],
    [{ org_id: 1, severity: 1, _id: -1 }],
    [{ org_id: 1, format: 1, _id: -1 }],
    [{ org_id: 1, dated_at: -1, _id: -1 }],
    [{ expires_at: 1 }, { expireAfterSeconds: 0 }],
  ],
});

export const itemTextCollection = collection<ItemTextDoc>({
  name: 'intel_item_texts',
  fields: {
    text: { type: String, default: '' },
    finds: required(Mixed),
    extracted: required(Mixed),
    corrections: required(Mixed),
    expires_at: required(Date),
  },
  indexes: [[{ expires_at: 1 }, { expireAfterSeconds: 0 }]],
});

export const items = repository(itemCollection);
export const itemTexts = repository(itemTextCollection);

/** Leaves out what no answer shows. */
export const itemProjection = { keys: 0, words: 0, technique_ids: 0, actor_keys: 0 } as const;

export function toItem(doc: ItemDoc): IntelItem {
  return {
    id: doc._id,
    url: doc.url,
    format: doc.format,
    title: doc.title,
    publisher: doc.publisher,
    published_at: doc.published_at?.toISOString() ?? null,
    summary: doc.summary,
    actors: doc.actors,
    malware: doc.malware,
    tools: doc.tools,
    techniques: doc.techniques,
    cves: doc.cves,
    indicators: doc.indicators,
    references: doc.references,
    sectors: doc.sectors,
    severity: doc.severity,
    severity_reason: doc.severity_reason,
    tlp: doc.tlp,
    tags: doc.tags,
    notes: doc.notes,
    content_hash: doc.content_hash,
    corrected: doc.corrected,
    related: doc.related,
    version: doc.version,
    ingested_at: doc.ingested_at.toISOString(),
    updated_at: doc.updated_at.toISOString(),
  };
}

/** An item beside its text; the spans' quotes are the words of the text. */
export function toDetail(
  doc: ItemDoc,
  { text, finds }: Pick<ItemTextDoc, 'text' | 'finds'>,
): IntelItemDetail {
  const spans = finds.map(({ kind, value, start, end, how }) => ({
    kind,
    value,
    quote: text.slice(start, end),
    start,
    end,
    how,
  }));
  return { ...toItem(doc), text, spans };
}
