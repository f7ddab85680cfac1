import { AppError, type Ctx } from '@muster/service-kit';
import { isRecord, parseJson, stringOf } from '../formats/json.rules.ts';
import { Unreadable } from '../formats/reading.rules.ts';
import { readStix } from '../formats/stix.rules.ts';
import { ask, type Read, type SourceOptions } from './source.service.ts';

/** TAXII 2.1, section 1.6.8. */
const TAXII = 'application/taxii+json;version=2.1';
const COLLECTION = /\/collections\/[^/]+(?:\/objects)?\/?$/;
const MAX_PAGES = 50;
const MAX_OBJECTS = 15_000;
const MAX_REFERRED = 1_000;
/** Their ids must fit into an address. */
const REFERRED_AT_ONCE = 25;
const STIX_ID = /^[a-z0-9-]{1,60}--[0-9a-f-]{36}$/;
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
export async function readTaxii(ctx: Ctx, url: string, options: SourceOptions): Promise<Read> {
  const since = options.since ?? null;
  const address = objectsAt(url, since);
  const { objects, addedLast, isCut } = await allPages(ctx, new URL(address), options);
  if (objects.length === 0) {
    if (since !== null) return { readings: [], until: since };
    throw new Unreadable('It is a collection without objects, or without any since the time asked for.');
  }
  const until = since === null && !isCut ? null : (addedLast ?? since);
  const earlier = since === null ? [] : await referredTo(ctx, url, { objects, options });
  const [first, ...others] = readStix({ type: 'bundle', objects: [...earlier, ...objects] }, address);
  const goesOn = `The collection goes on after ${objects.length} objects; what follows ${until === null ? 'was left out' : 'is read next time'}.`;
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

/** The objects of as many pages as are read at once, when the last one was added, and whether there are more. */
async function allPages(ctx: Ctx, address: URL, options: SourceOptions) {
  const objects: unknown[] = [];
  const seen = new Set<string>();
  let addedLast: string | null = null;
  for (let page = 1; ; page += 1) {
    ctx.signal.throwIfAborted();
    const envelope = await envelopeAt(ctx, address, options);
    objects.push(...envelope.objects);
    addedLast = envelope.addedLast ?? addedLast;
    if (envelope.next === null) return { objects, addedLast, isCut: false };
    if (page === MAX_PAGES || objects.length >= MAX_OBJECTS || seen.has(envelope.next))
      return { objects, addedLast, isCut: true };
    seen.add(envelope.next);
    address.searchParams.set('next', envelope.next);
  }
}

/** What objects refer to and do not hold, as far as the collection gives it: a source that does not is no failure. */
async function referredTo(
  ctx: Ctx,
  url: string,
  { objects, options }: { objects: readonly unknown[]; options: SourceOptions },
): Promise<unknown[]> {
  const held = new Set(objects.map((object) => (isRecord(object) ? object.id : undefined)));
  const wanted = new Set(objects.flatMap(referencesOf).filter((id) => !held.has(id)));
  const ids = [...wanted].slice(0, MAX_REFERRED);
  const found: unknown[] = [];
  for (let from = 0; from < ids.length; from += REFERRED_AT_ONCE) {
    const address = new URL(objectsAt(url, null));
    address.searchParams.set('match[id]', ids.slice(from, from + REFERRED_AT_ONCE).join(','));
    try {
      found.push(...(await envelopeAt(ctx, address, options)).objects);
    } catch (error) {
      ctx.signal.throwIfAborted();
      if (!(error instanceof AppError || error instanceof Unreadable)) throw error;
      return found;
    }
  }
  return found;
}

function referencesOf(object: unknown): string[] {
  if (!isRecord(object)) return [];
  const { object_refs, source_ref, target_ref } = object;
  return [...(Array.isArray(object_refs) ? object_refs : []), source_ref, target_ref].filter(
    (id): id is string => typeof id === 'string' && STIX_ID.test(id),
  );
}

interface Envelope {
  objects: unknown[];
  /** Names the next page; null at the end. */
  next: string | null;
  addedLast: string | null;
}

async function envelopeAt(ctx: Ctx, address: URL, options: SourceOptions): Promise<Envelope> {
  const { text, headers } = await ask(ctx, address.href, TAXII, options);
  if (text.trimStart().startsWith('<'))
    throw new Unreadable('It is a web page where a TAXII collection was expected.');
  const parsed = parseJson(text);
  if ('problem' in parsed) throw new Unreadable(parsed.problem);
  const { value } = parsed;
  if (!isRecord(value) || ('objects' in value && !Array.isArray(value.objects)))
    throw new Unreadable('It is no TAXII 2.1 envelope.');
  const next = value.more === true ? stringOf(value.next) || null : null;
  const addedLast = headers.get('x-taxii-date-added-last');
  return {
    objects: Array.isArray(value.objects) ? value.objects : [],
    next,
    addedLast: addedLast !== null && TIMESTAMP.test(addedLast) ? addedLast : null,
  };
}
