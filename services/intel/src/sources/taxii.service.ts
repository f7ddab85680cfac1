import type { IntelCtx } from '../config.ts';
import { isRecord, parseJson, stringOf } from '../formats/json.rules.ts';
import { type Reading, Unreadable } from '../formats/reading.rules.ts';
import { readStix } from '../formats/stix.rules.ts';
import { ask, type SourceOptions } from './source.service.ts';

/** TAXII 2.1, section 1.6.8. */
const TAXII = 'application/taxii+json;version=2.1';
const COLLECTION = /\/collections\/[^/]+(?:\/objects)?\/?$/;
const MAX_PAGES = 50;
const MAX_OBJECTS = 20_000;

/** Whether an address is that of a collection, or of the objects in one. */
export const isTaxii = (url: string) => URL.canParse(url) && COLLECTION.test(new URL(url).pathname);

/**
 * Reads the objects of a TAXII 2.1 collection, page by page, as one bundle.
 * @throws Unreadable for an answer that is no envelope; AppError as every fetch
 */
export async function readTaxii(ctx: IntelCtx, url: string, options: SourceOptions): Promise<Reading[]> {
  const address = new URL(url);
  if (!/\/objects\/?$/.test(address.pathname))
    address.pathname = `${address.pathname.replace(/\/$/, '')}/objects/`;
  const objects: unknown[] = [];
  const seen = new Set<string>();
  const notes: string[] = [];
  for (let page = 1; ; page += 1) {
    ctx.signal.throwIfAborted();
    const envelope = await envelopeAt(ctx, address, options);
    objects.push(...(Array.isArray(envelope.objects) ? envelope.objects : []));
    const next = stringOf(envelope.next);
    if (envelope.more !== true || next === '') break;
    if (page === MAX_PAGES || objects.length >= MAX_OBJECTS || seen.has(next)) {
      notes.push(`The collection goes on after ${objects.length} objects; what follows was left out.`);
      break;
    }
    seen.add(next);
    address.searchParams.set('next', next);
  }
  if (objects.length === 0)
    throw new Unreadable('It is a collection without objects, or without any since the time asked for.');
  const [first, ...others] = readStix({ type: 'bundle', objects: objects.slice(0, MAX_OBJECTS) }, url);
  return first ? [{ ...first, notes: [...notes, ...first.notes] }, ...others] : [];
}

async function envelopeAt(
  ctx: IntelCtx,
  address: URL,
  options: SourceOptions,
): Promise<Record<string, unknown>> {
  const { text } = await ask(ctx, address.href, TAXII, options);
  if (text.trimStart().startsWith('<'))
    throw new Unreadable('It is a web page where a TAXII collection was expected.');
  const parsed = parseJson(text);
  if ('problem' in parsed) throw new Unreadable(parsed.problem);
  if (!isRecord(parsed.value) || ('objects' in parsed.value && !Array.isArray(parsed.value.objects)))
    throw new Unreadable('It is no TAXII 2.1 envelope.');
  return parsed.value;
}
