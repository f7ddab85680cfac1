import type { IntelFormat, IntelItem, IntelItemDetail, IntelPatch } from '@muster/contracts';
import {
  collection,
  list,
  Mixed,
  nullable,
  type RowOf,
  repository,
  required,
  text,
} from '@muster/service-kit';
import type { Extraction } from '../extraction/extraction.rules.ts';
import type { Find } from '../formats/reading.rules.ts';

/** What people changed of an item: fields, and finds added and taken out. Kept when its source is read again. */
export type Corrections = IntelPatch;

export const itemCollection = collection({
  name: 'intel_items',
  fields: {
    /** Each way in which this item is known again: its addresses, its source's id, its content. No two items share one. */
    keys: list(String),
    version: required(Number),
    /** The source's own version of it, such as a time of change. */
    revision: nullable(String),
    url: nullable(String),
    format: required<IntelFormat>(String),
    title: required(String),
    publisher: nullable(String),
    published_at: nullable(Date),
    /** When it was published, or else ingested: what lists go by. */
    dated_at: required(Date),
    summary: text(),
    actors: list(String),
    malware: list(String),
    tools: list(String),
    techniques: required<Extraction['techniques']>(Mixed),
    cves: list(String),
    indicators: required<Extraction['indicators']>(Mixed),
    references: list(String),
    sectors: list(String),
    severity: required<Extraction['severity']>(String),
    severity_reason: required<Extraction['severity_reason']>(Mixed),
    tlp: nullable<NonNullable<Extraction['tlp']>>(String),
    tags: list(String),
    notes: list(String),
    content_hash: required(String),
    corrected: required(Boolean),
    related: list(String),
    /** What lists filter by: technique ids with their parents, folded actors, words. */
    technique_ids: list(String),
    actor_keys: list(String),
    words: list(String),
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
export type ItemDoc = RowOf<typeof itemCollection>;

/** An item's text and all that was found in it, beside the item so that lists stay light. `_id` is the item's. */
export const itemTextCollection = collection({
  name: 'intel_item_texts',
  fields: {
    text: text(),
    finds: required<Find[]>(Mixed),
    /** As extracted, before corrections. */
    extracted: required<Extraction>(Mixed),
    corrections: required<Corrections>(Mixed),
    expires_at: required(Date),
  },
  indexes: [[{ expires_at: 1 }, { expireAfterSeconds: 0 }]],
});
export type ItemTextDoc = RowOf<typeof itemTextCollection>;

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
