import { withParents } from '@muster/attack';
import { DAY_MS, type ProblemDetail } from '@muster/contracts';
import { v7 } from 'uuid';
import { type Asked, type ReadEvent, readEvent } from '../formats/format.reader.ts';
import { indicatorsOf } from '../formats/indicator.rules.ts';
import type { EventDoc } from './event.model.ts';
import { contentId, expiryOf, groupOf, keyOf } from './identity.rules.ts';
import { occurrenceOf } from './occurrence.rules.ts';
import { searchWords } from './word.rules.ts';

/** What all events that come together share. */
export interface Arrival {
  received_at: Date;
  expires_at: Date;
  asked: Asked;
}

/** @param days how long the organization keeps its events */
export const arrival = (received_at: Date, days: number, asked: Asked): Arrival => ({
  received_at,
  expires_at: expiryOf(received_at, days),
  asked,
});

export type NewEvent = Omit<EventDoc, 'org_id'>;
export type Prepared = { doc: NewEvent } | { problems: ProblemDetail[] };

const EARLIEST = Date.UTC(1990, 0, 1);
/** Clocks may differ; a day covers a time zone that was left out, too. */
const AHEAD_MS = DAY_MS;

/** Makes the document of an event out of its text, or says what is wrong with it. */
export function prepared(text: string | null, about: Arrival): Prepared {
  if (text === null)
    return { problems: [{ path: '', code: 'not_utf8', message: 'This is not text in UTF-8.' }] };
  const reading = readEvent(text, about.asked);
  if ('problems' in reading) return reading;
  const { occurred_at: given } = reading.event.content;
  const occurred_at = given === undefined ? about.received_at : new Date(given);
  const wrong = given === undefined ? null : wrongTime(occurred_at, given, about.received_at);
  return wrong ? { problems: [wrong] } : { doc: docOf(reading.event, occurred_at, about) };
}

function wrongTime(at: Date, given: string, now: Date): ProblemDetail | null {
  if (at.getTime() >= EARLIEST && at.getTime() <= now.getTime() + AHEAD_MS) return null;
  const when = at.getTime() < EARLIEST ? 'before 1990' : 'more than a day ahead';
  const message = `${given} lies ${when}: look at the clock of the source and the unit of the time`;
  return { path: '/occurred_at', code: 'out_of_range', message };
}

function docOf({ content, format, item, raw }: ReadEvent, occurred_at: Date, about: Arrival): NewEvent {
  const {
    title,
    description,
    severity,
    status,
    source,
    category = null,
    techniques,
    assets,
    users,
  } = content;
  const { received_at, expires_at } = about;
  const external_id = content.external_id ?? contentId(item);
  const indicators = indicatorsOf(content.indicators);
  const group_id = groupOf(content, received_at);
  const _id = v7();
  return {
    _id,
    key: keyOf(source, external_id),
    ...{ title, description, severity, status, source, external_id, category, occurred_at, received_at },
    ...{ techniques, assets, users, indicators, format, raw, group_id },
    technique_ids: withParents(techniques),
    occurrence: occurrenceOf(occurred_at, _id),
    words: searchWords({ ...content, indicators }),
    version: 1,
    expires_at,
  };
}
