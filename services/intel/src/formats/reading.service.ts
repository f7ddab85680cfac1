import { type Ctx, inThread, Overdue } from '@muster/service-kit';
import type extract from '../extraction/extraction.thread.ts';
import type readPages from './bundle.thread.ts';
import type { GivenPages, ReadPages } from './bundle.thread.ts';
import type readDocument from './document.thread.ts';
import type { GivenDocument, ReadDocument } from './document.thread.ts';
import { type Reading, Unreadable } from './reading.rules.ts';

const DEADLINE_MS = 15_000;

const documents = inThread<typeof readDocument>(
  new URL('./document.thread.ts', import.meta.url),
  DEADLINE_MS,
);
const bundles = inThread<typeof readPages>(new URL('./bundle.thread.ts', import.meta.url), DEADLINE_MS);
const extractions = inThread<typeof extract>(
  new URL('../extraction/extraction.thread.ts', import.meta.url),
  DEADLINE_MS,
);

/** Reads a document in a thread. @throws Unreadable */
export const read = async (ctx: Ctx, given: GivenDocument) =>
  readable<ReadDocument>(documents(given, ctx.signal));

/** Reads pages of a TAXII collection in a thread. @throws Unreadable */
export const readBundle = async (ctx: Ctx, given: GivenPages) =>
  readable<ReadPages>(bundles(given, ctx.signal));

/** Finds in a thread what can be found in a reading. @throws Unreadable */
export const extracted = async (ctx: Ctx, reading: Reading) => readable(extractions(reading, ctx.signal));

async function readable<Read extends object>(
  reading: Promise<Read>,
): Promise<Exclude<Read, { problem: string }>> {
  const read = await reading.catch((error: unknown) => {
    if (error instanceof Overdue) throw new Unreadable('It takes too long to read.');
    throw error;
  });
  if ('problem' in read) throw new Unreadable(String(read.problem));
  return read as Exclude<Read, { problem: string }>;
}
