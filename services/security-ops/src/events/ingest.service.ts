import { EVENT_LIMITS, type EventBatchResult, eventsReceived, type UnparsedBody } from '@muster/contracts';
import {
  AppError,
  type Ctx,
  invalid,
  isDuplicateKey,
  lostRace,
  pace,
  settingsOf,
  trusted,
} from '@muster/service-kit';
import { v7 } from 'uuid';
import { type FormatChoice, LONGEST_EVENT } from '../formats/format.reader.ts';
import { addTo, type BatchSummary, emptySummary, receivedData } from './batch.rules.ts';
import {
  arrayItems,
  firstByte,
  hasSeveral,
  type Item,
  lines,
  objects,
  withoutMark,
} from './delivery.reader.ts';
import { type EventDoc, events } from './event.model.ts';
import { type Delivery, deliveryOf, type NewEvent, newEvent } from './new-event.rules.ts';
import { count } from './tally.service.ts';

const CHUNK = 1_000;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/** What became of a delivery: of one event, or of a batch. */
export type IngestResult = { one: EventDoc; first: boolean } | { batch: EventBatchResult };

/**
 * Stores what was delivered: one event where the body is one JSON object, else a batch. In one transaction, with one
 * domain event; what cannot be read of a batch is named and all else stored. Raises 400 and 422 for a body that is no
 * delivery, and for a single event that cannot be read.
 */
export async function ingest(ctx: Ctx, body: UnparsedBody, asked: FormatChoice): Promise<IngestResult> {
  const { mediaType } = body;
  const bytes = withoutMark(body.bytes);
  const { retention } = await settingsOf(ctx);
  const delivery = deliveryOf(new Date(), retention.events_days, asked);
  const first = firstByte(bytes);
  if (first === undefined)
    throw invalid([
      { path: '', code: 'required', in: 'body', message: 'Send an event, or a batch of them.' },
    ]);
  if (mediaType !== 'application/json') return { batch: await storeBatch(ctx, lines(bytes), delivery) };
  if (first === BRACKET) return { batch: await storeBatch(ctx, arrayItems(bytes), delivery) };
  if (first === BRACE && hasSeveral(bytes)) return { batch: await storeBatch(ctx, objects(bytes), delivery) };
  return await storeOne(ctx, textOf(bytes), delivery);
}

function textOf(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // A longer one is refused unread.
    if (text.length <= LONGEST_EVENT) JSON.parse(text);
    return text.trim();
  } catch (cause) {
    throw new AppError('malformed-json', 'The body is not valid JSON in UTF-8.', { cause });
  }
}

async function storeOne(ctx: Ctx, text: string, delivery: Delivery): Promise<IngestResult> {
  const made = newEvent(text, delivery);
  if ('problems' in made) throw invalid(made.problems.map((problem) => ({ ...problem, in: 'body' })));
  const known = await events(ctx).findOne({ key: made.doc.key });
  if (known) return { one: known, first: false };
  const doc = { ...made.doc, org_id: ctx.org };
  const summary = emptySummary();
  await insert(ctx, [doc]);
  addTo(summary, [doc]);
  await finish(ctx, summary, delivery);
  return { one: doc, first: true };
}

async function storeBatch(ctx: Ctx, items: Iterable<Item>, delivery: Delivery): Promise<EventBatchResult> {
  const result: EventBatchResult = { accepted: 0, duplicates: 0, rejected: [], ids: [] };
  const summary = emptySummary();
  const seen = new Set<string>();
  let chunk: NewEvent[] = [];

  const flush = async () => {
    const stored = await storeNew(ctx, chunk);
    addTo(summary, stored);
    result.duplicates += chunk.length - stored.length;
    for (const { _id } of stored) result.ids.push(_id);
    chunk = [];
  };
  const pause = pace();
  for (const { index, text } of items) {
    await pause();
    if (index >= EVENT_LIMITS.batch) throw tooMany();
    const made = newEvent(text, delivery);
    if ('problems' in made) {
      result.rejected.push({ index, errors: made.problems });
      continue;
    }
    if (seen.has(made.doc.key)) result.duplicates += 1;
    else chunk.push(made.doc);
    seen.add(made.doc.key);
    if (chunk.length === CHUNK) await flush();
  }
  await flush();
  result.accepted = result.ids.length;
  await finish(ctx, summary, delivery);
  return result;
}

const tooMany = () =>
  invalid([
    {
      path: '',
      code: 'too_big',
      in: 'body',
      message: `A batch has at most ${EVENT_LIMITS.batch} events: send the rest in another.`,
    },
  ]);

/** Stores those of a chunk that are not there yet. */
async function storeNew(ctx: Ctx, chunk: readonly NewEvent[]): Promise<EventDoc[]> {
  if (chunk.length === 0) return [];
  const keys = trusted({ $in: chunk.map(({ key }) => key) });
  const known = await events(ctx).find({ key: keys }, { projection: { key: 1 } });
  const stored = new Set(known.map(({ key }) => key));
  const fresh = chunk.filter(({ key }) => !stored.has(key)).map((doc) => ({ ...doc, org_id: ctx.org }));
  await insert(ctx, fresh);
  return fresh;
}

/** Somebody may have stored one of them since they were looked for: then the transaction looks again. */
async function insert(ctx: Ctx, docs: EventDoc[]): Promise<void> {
  try {
    await events(ctx).insertMany(docs);
  } catch (error) {
    throw isDuplicateKey(error) ? lostRace() : error;
  }
}

async function finish(ctx: Ctx, summary: BatchSummary, { received_at, expires_at }: Delivery): Promise<void> {
  if (summary.count === 0) return;
  const batch_id = v7();
  await count(ctx, expires_at, summary.by_state);
  const data = receivedData(summary, batch_id, received_at);
  await ctx.emit(eventsReceived, { subject: batch_id, seq: 1, data });
}
