import { withParents } from '@muster/attack';
import { DAY_MS, type ProblemDetail } from '@muster/contracts';
import { v7 } from 'uuid';
import { type FormatChoice, type ReadEvent, readEvent } from '../formats/format.reader.ts';
import { indicatorsOf } from '../formats/indicator.rules.ts';
import type { EventDoc } from './event.model.ts';
import { contentId, expiryOf, groupOf, keyOf } from './identity.rules.ts';
import { occurrenceOf } from './occurrence.rules.ts';
import { searchWords } from './word.rules.ts';

/** What all events that come together share. */
export interface Delivery {
  received_at: Date;
  expires_at: Date;
  asked: FormatChoice;
}

/** @param days how long the organization keeps its events */
export const deliveryOf = (received_at: Date, days: number, asked: FormatChoice): Delivery => ({
  received_at,
  expires_at: expiryOf(received_at, days),
  asked,
});

export type NewEvent = Omit<EventDoc, 'org_id'>;
export type NewEventResult = { doc: NewEvent } | { problems: ProblemDetail[] };

const EARLIEST = Date.UTC(1990, 0, 1);
/** Clocks may differ; a day covers a time zone that was left out, too. */
const AHEAD_MS = DAY_MS;

/** Makes the document of an event out of its text, or says what is wrong with it. */
export function newEvent(text: string | null, delivery: Delivery): NewEventResult {
  if (text === null)
    return { problems: [{ path: '', code: 'not_utf8', message: 'This is not text in UTF-8.' }] };
  const reading = readEvent(text, delivery.asked);
  if ('problems' in reading) return reading;
  const { occurred_at: given } = reading.event.content;
  const occurred_at = given === undefined ? delivery.received_at : new Date(given);
  const wrong = given === undefined ? null : wrongTime(occurred_at, given, delivery.received_at);
  return wrong ? { problems: [wrong] } : { doc: docOf(reading.event, occurred_at, delivery) };
}

function wrongTime(at: Date, given: string, now: Date): ProblemDetail | null {
  if (at.getTime() >= EARLIEST && at.getTime() <= now.getTime() + AHEAD_MS) return null;
  const when = at.getTime() < EARLIEST ? 'before 1990' : 'more than a day ahead';
  const message = `${given} lies ${when}: look at the clock of the source and the unit of the time`;
  return { path: '/occurred_at', code: 'out_of_range', message };
}

function docOf({ content, format, item, raw }: ReadEvent, occurred_at: Date, delivery: Delivery): NewEvent {
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
  const { received_at, expires_at } = delivery;
  const external_id = content.external_id ?? contentId(item);
  const indicators = indicatorsOf(content.indicators);
  const group_id = groupOf(content, received_at);
  const _id = v7();
  return {
    _id,
    key: keyOf(source, external_id),
    title,
    description,
    severity,
    status,
    source,
    external_id,
    category,
    occurred_at,
    received_at,
    techniques,
    assets,
    users,
    indicators,
    format,
    raw,
    group_id,
    technique_ids: withParents(techniques),
    occurrence: occurrenceOf(occurred_at, _id),
    words: searchWords({ ...content, indicators }),
    version: 1,
    expires_at,
  };
}
