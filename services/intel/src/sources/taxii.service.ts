import { AppError, type Ctx } from '@muster/service-kit';
import type { Page } from '../formats/bundle.thread.ts';
import { Unreadable } from '../formats/reading.rules.ts';
import { readBundle } from '../formats/reading.service.ts';
import { ask, type SourceOptions, type SourceReading } from './request.service.ts';

/** TAXII 2.1, section 1.6.8. */
const TAXII = 'application/taxii+json;version=2.1';
const COLLECTION = /\/collections\/[^/]+(?:\/objects)?\/?$/;
const MAX_PAGES = 50;
const MAX_OBJECTS = 15_000;
const MAX_REFERRED = 1_000;
/** Their ids must fit into an address. */
const REFERRED_AT_ONCE = 25;
/** RFC 3339 in UTC, as TAXII writes times. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/** Whether an address is that of a collection, or of the objects in one. */
export const isTaxii = (url: string) => URL.canParse(url) && COLLECTION.test(new URL(url).pathname);

/**
 * Reads the objects of a TAXII 2.1 collection, page by page, as one bundle. Of a collection that is too large for one
 * reading, the next one goes on where this one ended: it holds only what was added since, and of what was there before
 * what that refers to.
 * @throws Unreadable for an answer that is no envelope; AppError as every fetch
 */
export async function readTaxii(ctx: Ctx, url: string, options: SourceOptions): Promise<SourceReading> {
  const since = options.since ?? null;
  const address = objectsAt(url, since);
  const found = await allPages(ctx, new URL(address), options);
  const { addedLast, isCut, count } = found;
  if (count === 0) {
    if (since !== null) return { readings: [], until: since };
    throw new Unreadable('It is a collection without objects, or without any since the time asked for.');
  }
  const until = since === null && !isCut ? null : (addedLast ?? since);
  const earlier = since === null ? [] : await referredTo(ctx, url, { found, options });
  const read = await readBundle(ctx, { pages: [...earlier, ...found.texts], url: address });
  const [first, ...others] = 'readings' in read ? read.readings : [];
  const goesOn = `The collection goes on after ${count} objects; what follows ${until === null ? 'was left out' : 'is read next time'}.`;
  const notes = isCut ? [goesOn] : [];
  return { readings: first ? [{ ...first, notes: [...notes, ...first.notes] }, ...others] : [], until };
}

/** The address of a collection's objects, all or those added after a time. */
function objectsAt(url: string, since: string | null): string {
  const address = new URL(url);
  if (!/\/objects\/?$/.test(address.pathname))
    address.pathname = `${address.pathname.replace(/\/$/, '')}/objects/`;
  if (since !== null) address.searchParams.set('added_after', since);
  return address.href;
}

/** Pages of a collection, as they came, and what they hold. */
interface Pages {
  texts: string[];
  count: number;
  ids: Set<string>;
  referred: Set<string>;
  addedLast: string | null;
  /** There are more than are read at once. */
  isCut: boolean;
}

async function allPages(ctx: Ctx, address: URL, options: SourceOptions): Promise<Pages> {
  const [ids, referred] = [new Set<string>(), new Set<string>()];
  const pages: Pages = { texts: [], count: 0, ids, referred, addedLast: null, isCut: false };
  const seen = new Set<string>();
  for (let number = 1; ; number += 1) {
    ctx.signal.throwIfAborted();
    const { text, page, addedLast } = await pageAt(ctx, address, options);
    pages.texts.push(text);
    pages.count += page.count;
    for (const id of page.ids) ids.add(id);
    for (const id of page.referred) referred.add(id);
    pages.addedLast = addedLast ?? pages.addedLast;
    if (page.next === null) return pages;
    if (number === MAX_PAGES || pages.count >= MAX_OBJECTS || seen.has(page.next))
      return { ...pages, isCut: true };
    seen.add(page.next);
    address.searchParams.set('next', page.next);
  }
}

/** Pages of what objects refer to and do not hold, as far as the collection gives it: one that does not is no failure. */
async function referredTo(
  ctx: Ctx,
  url: string,
  { found, options }: { found: Pages; options: SourceOptions },
): Promise<string[]> {
  const wanted = [...found.referred].filter((id) => !found.ids.has(id)).slice(0, MAX_REFERRED);
  const texts: string[] = [];
  for (let from = 0; from < wanted.length; from += REFERRED_AT_ONCE) {
    const address = new URL(objectsAt(url, null));
    address.searchParams.set('match[id]', wanted.slice(from, from + REFERRED_AT_ONCE).join(','));
    try {
      texts.push((await pageAt(ctx, address, options)).text);
    } catch (error) {
      ctx.signal.throwIfAborted();
      if (!(error instanceof AppError || error instanceof Unreadable)) throw error;
      return texts;
    }
  }
  return texts;
}

async function pageAt(
  ctx: Ctx,
  address: URL,
  options: SourceOptions,
): Promise<{ text: string; page: Page; addedLast: string | null }> {
  const { text, headers } = await ask(ctx, address.href, TAXII, options);
  const read = await readBundle(ctx, { page: text });
  if (!('page' in read)) throw new Unreadable('It is no TAXII 2.1 envelope.');
  const addedLast = headers.get('x-taxii-date-added-last');
  return {
    text,
    page: read.page,
    addedLast: addedLast !== null && TIMESTAMP.test(addedLast) ? addedLast : null,
  };
}
