import { isRecord, parseJson, stringOf } from './json.rules.ts';
import { type Reading, Unreadable } from './reading.rules.ts';
import { readStix } from './stix.rules.ts';

const STIX_ID = /^[a-z0-9-]{1,60}--[0-9a-f-]{36}$/;

/** What stands in one page of a TAXII collection. */
export interface Page {
  count: number;
  /** Names the next page; null at the end. */
  next: string | null;
  ids: string[];
  /** What its objects refer to. */
  referred: string[];
}

/** A page to look into, or all pages to be read as one bundle. */
export type GivenPages = { page: string } | { pages: readonly string[]; url: string };
export type ReadPages = { page: Page } | { readings: Reading[] } | { problem: string };

/** Runs in a thread: how long a collection takes is its owner's choice. */
export default function read(given: GivenPages): ReadPages {
  try {
    if ('page' in given) return { page: pageOf(given.page) };
    const objects = given.pages.flatMap((page) => envelopeOf(page).objects);
    return { readings: readStix({ type: 'bundle', objects }, given.url) };
  } catch (error) {
    if (error instanceof Unreadable) return { problem: error.message };
    throw error;
  }
}

function pageOf(text: string): Page {
  const { objects, next } = envelopeOf(text);
  return {
    count: objects.length,
    next,
    ids: objects.flatMap((object) => (isRecord(object) ? stringOf(object.id) : [])),
    referred: objects.flatMap(referencesOf),
  };
}

function envelopeOf(text: string): { objects: unknown[]; next: string | null } {
  if (text.trimStart().startsWith('<'))
    throw new Unreadable('It is a web page where a TAXII collection was expected.');
  const parsed = parseJson(text);
  if ('problem' in parsed) throw new Unreadable(parsed.problem);
  const { value } = parsed;
  if (!isRecord(value) || ('objects' in value && !Array.isArray(value.objects)))
    throw new Unreadable('It is no TAXII 2.1 envelope.');
  return {
    objects: Array.isArray(value.objects) ? value.objects : [],
    next: value.more === true ? stringOf(value.next) || null : null,
  };
}

function referencesOf(object: unknown): string[] {
  if (!isRecord(object)) return [];
  const { object_refs, source_ref, target_ref } = object;
  return [...(Array.isArray(object_refs) ? object_refs : []), source_ref, target_ref].filter(
    (id): id is string => typeof id === 'string' && STIX_ID.test(id),
  );
}
