import type { Draft } from './draft.rules.ts';
import { type Fields, isFields, textOf, timeOf } from './fields.rules.ts';

/**
 * What a Splunk HTTP Event Collector is sent: an event of any form under `event`, and about it `time` (seconds since
 * 1970), `host`, `source`, `sourcetype`, `index`, https://docs.splunk.com/Documentation/Splunk/latest/Data/FormateventsforHTTPEventCollector.
 */
export interface Envelope {
  event: Fields | string;
  host: string | undefined;
  source: string | undefined;
  time: string | undefined;
}

const ABOUT = ['time', 'host', 'source', 'sourcetype', 'index', 'fields'];
const MARKS = ['sourcetype', 'index', 'time', 'host'];

/** Opens an envelope, or null where the item is none. */
export function envelopeIn(item: Fields): Envelope | null {
  const { event } = item;
  if (!isFields(event) && typeof event !== 'string') return null;
  const others = Object.keys(item).filter((key) => key !== 'event');
  if (!others.every((key) => ABOUT.includes(key)) || !MARKS.some((mark) => mark in item)) return null;
  return {
    event,
    host: textOf(item.host),
    source: textOf(item.sourcetype) ?? textOf(item.source),
    time: timeOf(item.time),
  };
}

/** What a bare line of text tells. */
export function fromLine(line: string): Draft {
  const none: string[] = [];
  return {
    title: line.split('\n', 1)[0],
    description: line,
    severity: 'medium',
    source: undefined,
    techniques: none,
    assets: [],
    users: none,
    indicators: none,
  };
}
