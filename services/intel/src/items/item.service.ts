import {
  type IntelItem,
  type IntelItemDetail,
  type IntelPatch,
  intelItemIngested,
  intelItemRemoved,
  type intelItemsApi,
  type List,
  MAX_EVENT_INDICATORS,
} from '@muster/contracts';
import { AppError, type Ctx, invalid, listPage, lostRace, trusted } from '@muster/service-kit';
import type { z } from 'zod';
import { corrected, merged, unknownTechniques } from './correction.rules.ts';
import { type ItemDoc, itemProjection, items, itemTexts, toDetail, toItem } from './item.model.ts';
import { actorKey, filterFields } from './item.rules.ts';
import { askedWords } from './search.rules.ts';

type ListQuery = z.output<(typeof intelItemsApi)['endpoints']['listIntel']['query']>;
export type ItemFilters = Omit<ListQuery, 'limit' | 'cursor'>;

/** What the filters of a list mean to the store; each goes by an index. */
export function filterOf({ q, technique, actor, severity, format, from, to }: ItemFilters) {
  const words = q === undefined ? [] : askedWords(q);
  const dated = { ...(from && { $gte: new Date(from) }), ...(to && { $lt: new Date(to) }) };
  return {
    ...(severity && { severity }),
    ...(format && { format }),
    ...(technique && { technique_ids: technique }),
    ...(actor && { actor_keys: actorKey(actor) }),
    ...(words.length > 0 && { words: trusted({ $all: words }) }),
    ...((from || to) && { dated_at: trusted(dated) }),
  };
}

/** One page of the organization's items, the latest first. */
export async function listItems(
  ctx: Ctx,
  { limit, cursor, ...filters }: ListQuery,
): Promise<List<IntelItem>> {
  return await listPage(ctx, items(ctx), {
    name: 'intel',
    filter: filterOf(filters),
    query: { limit, cursor },
    projection: itemProjection,
    item: toItem,
  });
}

/** An item of the caller's organization. Raises `not-found`. */
export async function findItem(ctx: Ctx, id: string): Promise<ItemDoc> {
  const found = await items(ctx).findOne({ _id: id }, { projection: itemProjection });
  if (!found) throw missing();
  return found;
}

const missing = () => new AppError('not-found', 'There is no threat intelligence with this id.');

/** An item beside its text. Raises `not-found`. */
export async function itemDetail(ctx: Ctx, id: string): Promise<IntelItemDetail> {
  const doc = await findItem(ctx, id);
  const text = await itemTexts(ctx).findOne({ _id: id }, { projection: { text: 1, finds: 1 } });
  return toDetail(doc, text ?? { text: '', finds: [] });
}

/** Lays a person's corrections over an item, for this reading and the ones to come. Raises `not-found`, 412, 422. */
export async function correctItem(
  ctx: Ctx,
  id: string,
  patch: IntelPatch,
  requireMatch: (etag: string) => void,
): Promise<IntelItemDetail> {
  const unknown = unknownTechniques(patch);
  if (unknown.length > 0)
    throw invalid(
      unknown.map(({ path, id }) => ({
        path,
        code: 'unknown_technique',
        message: `${id} is no ATT&CK technique`,
        in: 'body',
      })),
    );
  const before = await findItem(ctx, id);
  requireMatch(String(before.version));
  const row = await itemTexts(ctx).findOne({ _id: id });
  if (!row) throw missing();
  const corrections = merged(row.corrections, patch);
  await itemTexts(ctx).updateOne({ _id: id }, { $set: { corrections } });
  const said = corrected({ ...row.extracted, tags: before.tags, tlp: before.tlp }, corrections);
  const published_at = said.published_at === null ? null : new Date(said.published_at);
  const stored = await items(ctx).findOneAndUpdate(
    { _id: id, version: before.version },
    {
      $set: {
        ...said,
        ...filterFields(said),
        published_at,
        dated_at: published_at ?? before.ingested_at,
        corrected: true,
        version: before.version + 1,
        updated_at: new Date(),
      },
    },
  );
  if (!stored) throw lostRace();
  await announce(ctx, stored);
  return toDetail(stored, row);
}

/** Removes an item with its text. Raises `not-found`, 412. */
export async function removeItem(ctx: Ctx, id: string, requireMatch: (etag: string) => void): Promise<void> {
  const { version } = await findItem(ctx, id);
  requireMatch(String(version));
  if (!(await items(ctx).deleteOne({ _id: id }))) throw missing();
  await itemTexts(ctx).deleteOne({ _id: id });
  await ctx.emit(intelItemRemoved, { subject: id, seq: version + 1, data: { item_id: id } });
}

/** Tells the others what an item says now: one event for each version. */
export async function announce(ctx: Ctx, doc: ItemDoc): Promise<void> {
  const { id, indicators, techniques, ...item } = toItem(doc);
  await ctx.emit(intelItemIngested, {
    subject: id,
    seq: doc.version,
    data: {
      ...item,
      item_id: id,
      techniques: techniques.map(({ id, name }) => ({ id, name })),
      indicators: indicators.slice(0, MAX_EVENT_INDICATORS).map(({ type, value }) => ({ type, value })),
      indicators_count: indicators.length,
    },
  });
}
