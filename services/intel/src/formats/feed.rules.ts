import { Parser } from 'htmlparser2';
import { textOfHtml } from './html.rules.ts';
import { emptyReading, oneLine, type Reading, tidy, timeOf, Unreadable } from './reading.rules.ts';

/** Entries of one feed at most, the newest. */
export const MAX_ENTRIES = 100;
const MAX_DEPTH = 64;
const MAX_FIELDS = 50_000;
const MAX_FIELD = 400_000;

// Of the formats' own namespaces; other prefixes tell a field of another kind, such as `media:title`.
const OWN_PREFIX = /^(?:rss|atom):/i;
const FRAMES = new Set(['rss', 'rdf', 'feed', 'channel']);

type Fields = Map<string, string[]>;
interface Feed {
  format: 'rss' | 'atom';
  channel: Fields;
  entries: Fields[];
}

/** Reads an RSS (0.9x, 1.0, 2.0) or Atom feed, an item for each entry, the newest first. @throws Unreadable for one that is broken, empty, or declares entities */
export function readFeed(xml: string, url: string | null): Reading[] {
  // Entities of a document's own serve to swell it, or to reach for files.
  if (/<!ENTITY|<!DOCTYPE[^<>[]*\[/i.test(xml))
    throw new Unreadable('It declares XML entities, which are not taken.');
  const feed = parseFeed(xml);
  if (feed.entries.length === 0) throw new Unreadable('It is a feed without entries.');
  const newest = feed.entries
    .map((entry) => ({ entry, at: publishedOf(entry) ?? '' }))
    .toSorted((one, other) => other.at.localeCompare(one.at));
  const readings: Reading[] = [];
  let left = newest.length;
  for (const { entry } of newest) {
    if (readings.length === MAX_ENTRIES) break;
    left -= 1;
    const reading = readEntry(feed, entry, url);
    if (reading) readings.push(reading);
  }
  const [head, ...others] = readings;
  if (!head) throw new Unreadable('Its entries have neither titles nor text.');
  const notes = left > 0 ? [`${left} older entries of the feed were left out.`] : [];
  return [{ ...head, notes }, ...others];
}

function parseFeed(xml: string): Feed {
  const feed: Feed = { format: 'rss', channel: new Map(), entries: [] };
  const open: string[] = [];
  let entry: Fields | null = null;
  let field: { name: string; depth: number; text: string } | null = null;
  let fields = 0;
  let isFeed = false;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (open.length >= MAX_DEPTH) throw new Unreadable(`It is nested deeper than ${MAX_DEPTH} levels.`);
        if (++fields > MAX_FIELDS) throw new Unreadable(`It has more than ${MAX_FIELDS} elements.`);
        const local = localName(name);
        if (open.length === 0 && !isFeed) {
          isFeed = ['rss', 'feed', 'rdf'].includes(local);
          feed.format = local === 'feed' ? 'atom' : 'rss';
        }
        open.push(local);
        // Atom may hold XHTML as it is.
        if (field) field.text += `<${local}>`;
        else if (local === 'item' || local === 'entry') entry = new Map();
        else if (local === 'link' && attributes.href && isOwnLink(attributes))
          add(entry ?? feed.channel, 'link', attributes.href);
        else if (entry || !FRAMES.has(local))
          field = { name: name.replace(OWN_PREFIX, ''), depth: open.length, text: '' };
        if (local === 'category' && attributes.term) add(entry ?? feed.channel, 'category', attributes.term);
      },
      ontext(text) {
        if (field && field.text.length < MAX_FIELD) field.text += text;
      },
      onclosetag(name) {
        const local = localName(name);
        if (field?.depth === open.length) {
          add(entry ?? feed.channel, field.name, field.text);
          field = null;
        } else if (field) field.text += `</${local}>`;
        if ((local === 'item' || local === 'entry') && entry && !field) {
          feed.entries.push(entry);
          entry = null;
        }
        open.pop();
      },
    },
    { xmlMode: true, decodeEntities: true, lowerCaseTags: false },
  );
  parser.end(xml);
  if (!isFeed) throw new Unreadable('It is XML, but neither RSS nor Atom.');
  return feed;
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1).toLowerCase();
const isOwnLink = ({ rel }: Record<string, string>) => rel === undefined || rel === 'alternate';

function add(fields: Fields, name: string, text: string): void {
  const key = name.toLowerCase();
  fields.set(key, [...(fields.get(key) ?? []), text]);
}

function readEntry({ format, channel }: Feed, entry: Fields, url: string | null): Reading | null {
  const content = textOfHtml(first(entry, 'content:encoded', 'content', 'description', 'summary'));
  const title = oneLine(textOfHtml(first(entry, 'title', 'dc:title')), 300) || oneLine(content, 120);
  if (title === '') return null;
  const link = addressIn(first(entry, 'link', 'feedburner:origlink'), url);
  const guid = first(entry, 'guid', 'id').trim();
  const text = content.startsWith(title) ? content : tidy(`${title}\n\n${content}`);
  const hosts = [link, url].flatMap((address) =>
    address && URL.canParse(address) ? [new URL(address).hostname] : [],
  );
  return emptyReading({
    format,
    key: link === null && guid !== '' ? `feed:${guid.slice(0, 500)}` : null,
    url: link,
    title,
    publisher: oneLine(textOfHtml(first(channel, 'title')), 200) || hosts[0] || null,
    published_at: publishedOf(entry),
    text,
    prose: [{ start: 0, end: text.length }],
    hosts: [...new Set(hosts)],
    tags: [
      ...new Set((entry.get('category') ?? []).map((tag) => oneLine(tag, 80).toLowerCase()).filter(Boolean)),
    ].slice(0, 15),
  });
}

const first = (fields: Fields, ...names: string[]) =>
  names.flatMap((name) => fields.get(name) ?? []).find((text) => text.trim() !== '') ?? '';

const publishedOf = (entry: Fields) =>
  timeOf(first(entry, 'pubdate', 'published', 'dc:date', 'date', 'issued', 'updated'));

function addressIn(link: string, base: string | null): string | null {
  const given = link.trim();
  if (given === '' || !URL.canParse(given, base ?? undefined)) return null;
  const { protocol, href } = new URL(given, base ?? undefined);
  return /^https?:$/.test(protocol) ? href : null;
}
