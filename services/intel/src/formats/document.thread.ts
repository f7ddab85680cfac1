import { type Origin, readDocument } from './document.rules.ts';
import { isErrorPage } from './error-page.rules.ts';
import { parseJson } from './json.rules.ts';
import { kindOf } from './kind.rules.ts';
import { manifestEntries, readMispEvents } from './misp.rules.ts';
import { type Reading, Unreadable } from './reading.rules.ts';

const MAX_LISTED = 2000;

/** A document of any kind, or one that must be an event of MISP. */
export interface GivenDocument {
  text: string;
  origin: Origin;
  isMispEvent?: boolean;
}

/** What it says; of the manifest of a MISP feed, what it lists; or in a sentence why it cannot be read. */
export type ReadDocument =
  | { readings: Reading[]; isPage: boolean; isErrorPage: boolean }
  | { listed: { uuid: string; timestamp: string }[] }
  | { problem: string };

/** Runs in a thread: how long a document takes is its author's choice. */
export default function read(given: GivenDocument): ReadDocument {
  try {
    return given.isMispEvent ? mispEvent(given) : anyKind(given);
  } catch (error) {
    if (error instanceof Unreadable) return { problem: error.message };
    throw error;
  }
}

function mispEvent({ text, origin }: GivenDocument): ReadDocument {
  const parsed = parseJson(text);
  if ('problem' in parsed) return parsed;
  return { readings: readMispEvents(parsed.value, origin.url), isPage: false, isErrorPage: false };
}

function anyKind({ text, origin }: GivenDocument): ReadDocument {
  const document = kindOf(text, origin.mediaType);
  if (document.kind === 'misp-feed' && origin.url !== null)
    return { listed: manifestEntries(document.value, MAX_LISTED) };
  const readings = readDocument(text, document, origin.url);
  const isPage = document.kind === 'html';
  return { readings, isPage, isErrorPage: isPage && readings.every(isErrorPage) };
}
