import { readFeed } from './feed.rules.ts';
import { readHtml } from './html.rules.ts';
import { readKev } from './kev.rules.ts';
import type { Kind } from './kind.rules.ts';
import { readMispEvents } from './misp.rules.ts';
import { type Reading, Unreadable } from './reading.rules.ts';
import { readStix } from './stix.rules.ts';
import { readText } from './text.rules.ts';

/** Where a document comes from. */
export interface Origin {
  /** As its sender calls it, parameters included; null where nobody says. */
  mediaType: string | null;
  /** Null for one that was handed over. */
  url: string | null;
}

/**
 * Reads a document of any of the formats, which `kindOf` tells.
 * @returns at least one reading, the newest or most telling first
 * @throws Unreadable for what is none of the formats, broken, or built to exhaust who reads it
 */
export function readDocument(text: string, { kind, value }: Kind, url: string | null): Reading[] {
  switch (kind) {
    case 'html':
      return [readHtml(text, url)];
    case 'feed':
      return readFeed(text, url);
    case 'stix':
      return readStix(value, url);
    case 'misp-event':
      return readMispEvents(value, url);
    case 'kev':
      return [readKev(value, url)];
    case 'text':
      return [readText(text)];
    default:
      throw new Unreadable(SENTENCES[kind]);
  }
}

const SENTENCES: Record<'misp-feed' | 'taxii', string> = {
  'misp-feed':
    'It is the manifest of a MISP feed: give its address instead, so that its events can be fetched.',
  taxii: 'It describes a TAXII server: give the address of one of its collections instead.',
};
