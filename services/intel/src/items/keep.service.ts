import { DAY_MS, type TlpLabel } from '@muster/contracts';
import {
  type Ctx,
  invalid,
  isDuplicateKey,
  lostRace,
  settingsOf,
  trusted,
  type WorkProgress,
} from '@muster/service-kit';
import { v7 } from 'uuid';
import type { Extraction } from '../extraction/extraction.rules.ts';
import { type Find, type Reading, Unreadable } from '../formats/reading.rules.ts';
import { extracted } from '../formats/reading.service.ts';
import { cleanAddress } from './address.rules.ts';
import { corrected } from './correction.rules.ts';
import { type Corrections, type ItemDoc, items, itemTexts } from './item.model.ts';
import { contentHash, filterFields, identityKeys, replaces } from './item.rules.ts';
import { announce } from './item.service.ts';

/** Who loses a race for one item meets the winner's at the next try. */
const TRIES = 4;

/** What an ingest made of one reading. */
export interface KeepResult {
  id: string;
  outcome: 'created' | 'updated' | 'known';
}

interface KeepOptions {
  /** The addresses that were asked for, where the reading is all that they hold. */
  asked: readonly string[];
  tags: readonly string[];
  tlp?: TlpLabel | undefined;
  progress: Pick<WorkProgress, 'report'>;
}

/** Keeps what was read of one source, each reading in a transaction of its own; the first knows the others. */
export async function keepAll(
  ctx: Ctx,
  readings: readonly Reading[],
  options: KeepOptions,
): Promise<KeepResult[]> {
  const { progress } = options;
  const asked = readings.length === 1 ? options.asked : [];
  const kept: KeepResult[] = [];
  for (const [index, reading] of readings.entries()) {
    ctx.signal.throwIfAborted();
    kept.push(await keep(ctx, reading, { ...options, asked }));
    await progress.report(index + 1, readings.length, 'Reading what it says');
  }
  await relate(ctx, kept);
  return kept;
}

/** The first item of a source names the others. */
async function relate(ctx: Ctx, kept: readonly KeepResult[]): Promise<void> {
  const [first, ...others] = kept;
  if (!first || others.length === 0) return;
  const related = [...new Set(others.map(({ id }) => id))].filter((id) => id !== first.id);
  await ctx.inTransaction((inside) => items(inside).updateOne({ _id: first.id }, { $set: { related } }));
}

/** Keeps one reading: as a new item, a new version of a known one, or not at all where it says what is known. */
async function keep(ctx: Ctx, reading: Reading, options: KeepOptions): Promise<KeepResult> {
  const found = await extractedOf(ctx, reading);
  for (let tries = 1; ; tries += 1) {
    try {
      return await ctx.inTransaction((inside) => store(inside, { reading, ...found }, options));
    } catch (error) {
      if (!isDuplicateKey(error) || tries === TRIES) throw error;
    }
  }
}

async function extractedOf(ctx: Ctx, reading: Reading) {
  try {
    return await extracted(ctx, reading);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw invalid([{ path: '/document', code: 'unreadable', message: error.message, in: 'body' }]);
  }
}

interface ReadingFacts {
  reading: Reading;
  extracted: Extraction;
  finds: Find[];
}

async function store(ctx: Ctx, facts: ReadingFacts, options: KeepOptions): Promise<KeepResult> {
  const identity = identityKeys(facts.reading, options.asked);
  const content_hash = contentHash(facts.reading);
  const hashKey = `hash:${content_hash}`;
  const matching = await items(ctx).find({ keys: trusted({ $in: [...identity, hashKey] }) }, { limit: 20 });
  const same = matching.find(({ keys }) => keys.includes(hashKey));
  const known = matching.find(({ keys }) => identity.some((key) => keys.includes(key))) ?? same;
  // What another item says word for word is that item's.
  const keys = same && same._id !== known?._id ? identity : [...identity, hashKey];
  if (!known) return await insert(ctx, facts, { keys, content_hash, options });
  const says = known.content_hash === content_hash || !replaces(facts.reading, known);
  return says
    ? await touch(ctx, known, { keys: identity, options })
    : await update(ctx, known, facts, { keys, content_hash, options });
}

interface StoreInput {
  keys: string[];
  content_hash: string;
  options: KeepOptions;
}

async function insert(
  ctx: Ctx,
  facts: ReadingFacts,
  { keys, content_hash, options }: StoreInput,
): Promise<KeepResult> {
  const now = new Date();
  const _id = v7();
  const doc = await items(ctx).insert({
    _id,
    keys,
    content_hash,
    version: 1,
    corrected: false,
    related: [],
    ingested_at: now,
    ...(await saidFields(ctx, facts, options, {}, { now, ingested_at: now })),
  });
  const { reading, extracted, finds } = facts;
  const { expires_at } = doc;
  await itemTexts(ctx).insert({ _id, text: reading.text, finds, extracted, corrections: {}, expires_at });
  await announce(ctx, doc);
  return { id: _id, outcome: 'created' };
}

async function update(ctx: Ctx, known: ItemDoc, facts: ReadingFacts, input: StoreInput): Promise<KeepResult> {
  const { keys, content_hash, options } = input;
  const row = await itemTexts(ctx).findOne({ _id: known._id }, { projection: { corrections: 1 } });
  const corrections = row?.corrections ?? {};
  const now = new Date();
  const { ingested_at, tags, tlp } = known;
  const fields = await saidFields(ctx, facts, options, corrections, { now, ingested_at, tags, tlp });
  // Former addresses still lead here; the former content does not.
  const addresses = known.keys.filter((key) => !key.startsWith('hash:'));
  const doc = await items(ctx).findOneAndUpdate(
    { _id: known._id, version: known.version },
    {
      $set: {
        ...fields,
        content_hash,
        keys: [...new Set([...addresses, ...keys])],
        version: known.version + 1,
      },
    },
  );
  if (!doc) throw lostRace();
  const { reading, extracted, finds } = facts;
  const { expires_at } = doc;
  await itemTexts(ctx).updateOne(
    { _id: known._id },
    { $set: { text: reading.text, finds, extracted, corrections, expires_at } },
    { upsert: true },
  );
  await announce(ctx, doc);
  return { id: known._id, outcome: 'updated' };
}

/** What is known stays as it is, but for another address, tags and label. */
async function touch(
  ctx: Ctx,
  known: ItemDoc,
  about: { keys: string[]; options: KeepOptions },
): Promise<KeepResult> {
  const { tags, tlp } = about.options;
  const keys = [...new Set([...known.keys, ...about.keys])];
  const all = [...new Set([...known.tags, ...tags])];
  const label = tlp ?? known.tlp;
  const isAsKnown = all.length === known.tags.length && label === known.tlp;
  if (keys.length > known.keys.length || !isAsKnown) {
    const version = known.version + (isAsKnown ? 0 : 1);
    const $set = { keys, tags: all, tlp: label, version, ...(!isAsKnown && { updated_at: new Date() }) };
    const doc = await items(ctx).findOneAndUpdate({ _id: known._id, version: known.version }, { $set });
    if (!doc) throw lostRace();
    if (!isAsKnown) await announce(ctx, doc);
  }
  return { id: known._id, outcome: 'known' };
}

/** The fields of an item that follow from what was read, what people corrected, and what who asked wants. */
async function saidFields(
  ctx: Ctx,
  { reading, extracted }: ReadingFacts,
  { tags, tlp, asked }: KeepOptions,
  corrections: Corrections,
  before: { now: Date; ingested_at: Date; tags?: string[]; tlp?: TlpLabel | null },
) {
  const said = corrected(
    {
      ...extracted,
      tags: [...new Set([...(before.tags ?? []), ...extracted.tags, ...tags])],
      // What anyone can fetch is open to all.
      tlp: tlp ?? extracted.tlp ?? before.tlp ?? (asked.length > 0 || reading.url !== null ? 'clear' : null),
    },
    corrections,
  );
  const published_at = said.published_at === null ? null : new Date(said.published_at);
  const { retention } = await settingsOf(ctx);
  return {
    ...said,
    ...filterFields(said),
    url: reading.url ?? (asked[0] === undefined ? null : cleanAddress(asked[0])),
    format: reading.format,
    revision: reading.revision,
    published_at,
    dated_at: published_at ?? before.ingested_at,
    updated_at: before.now,
    expires_at: new Date(before.now.getTime() + retention.intel_days * DAY_MS),
  };
}
