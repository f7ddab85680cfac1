import { isRecord, parseJson, stringOf } from './json.rules.ts';
import { mainContent } from './main-content.rules.ts';
import { type PageDocument, parsePage } from './page.rules.ts';
import { textOf } from './page-text.rules.ts';
import { emptyReading, MAX_TEXT, oneLine, type Reading, tidy, timeOf, Unreadable } from './reading.rules.ts';

const MAX_TITLE = 300;
const SEPARATOR = /(?<!\s)\s+[|–—·»•:-]\s+/;
const PUBLISHED = [
  'article:published_time',
  'article:published',
  'og:published_time',
  'datepublished',
  'date',
  'dc.date',
  'dc.date.issued',
  'dcterms.created',
  'dcterms.date',
  'sailthru.date',
  'parsely-pub-date',
  'pubdate',
  'publish-date',
  'publication_date',
  'article:modified_time',
];
const MAX_DATA = 200_000;
const MOST_LINKED = 0.6;

/** What a page says of itself. */
interface Head {
  title: string;
  /** `<meta>` by name or property, in lower case; the first of each counts. */
  meta: Map<string, string>;
  /** Objects of JSON-LD. */
  data: Record<string, unknown>[];
  canonical: string | null;
  heading: string | null;
  /** The first `<time datetime>`. */
  time: string | null;
}

/** Reads a web page: its article without what stands around it. @throws Unreadable when there is nothing to read on it */
export function readHtml(html: string, url: string | null): Reading {
  const page = parsePage(html);
  const head = headOf(page.document);
  const title = titleOf(head);
  const body = tidy(textOf(mainContent(page), MOST_LINKED) || textOf(page.document.body));
  if (!/[\p{L}\p{N}]/u.test(body)) throw new Unreadable('There is no text to read on it.');
  const text = body.startsWith(title) ? body : tidy(`${title}\n\n${body}`, MAX_TEXT);
  const address = url ?? head.canonical ?? head.meta.get('og:url') ?? null;
  const host = address && URL.canParse(address) ? new URL(address).hostname : null;
  return emptyReading({
    format: 'html',
    url,
    title: title || oneLine(text, MAX_TITLE),
    publisher: publisherOf(head) ?? host,
    published_at: publishedOf(head),
    summary: oneLine(head.meta.get('og:description') ?? head.meta.get('description') ?? '', 500) || null,
    text,
    prose: [{ start: 0, end: text.length }],
    hosts: host === null ? [] : [host],
    tags: tagsOf(head),
  });
}

/** The text of a fragment of HTML, as feeds hold it. */
export function textOfHtml(fragment: string): string {
  if (!/[<&]/.test(fragment)) return tidy(fragment);
  return tidy(textOf(parsePage(fragment).document.body));
}

function headOf(page: PageDocument): Head {
  const meta = new Map<string, string>();
  for (const element of page.querySelectorAll('meta')) {
    const name = ['property', 'name', 'itemprop'].map((key) => element.getAttribute(key)).find(Boolean);
    const key = name?.toLowerCase();
    if (key && !meta.has(key)) meta.set(key, element.getAttribute('content') ?? '');
  }
  return {
    title: page.querySelector('title')?.textContent ?? '',
    meta,
    data: [...page.querySelectorAll('script[type="application/ld+json" i]')].flatMap(({ textContent }) =>
      linkedData(textContent.slice(0, MAX_DATA)),
    ),
    canonical: page.querySelector('link[rel~="canonical" i]')?.getAttribute('href') ?? null,
    heading: page.querySelector('h1')?.textContent ?? null,
    time: page.querySelector('time[datetime]')?.getAttribute('datetime') ?? null,
  };
}

/** The objects of a JSON-LD script that tell of an article or its publisher. */
function linkedData(script: string): Record<string, unknown>[] {
  const parsed = parseJson(script);
  if ('problem' in parsed) return [];
  const { value } = parsed;
  const list = Array.isArray(value)
    ? value
    : isRecord(value) && Array.isArray(value['@graph'])
      ? value['@graph']
      : [value];
  return list.filter(isRecord).slice(0, 50);
}

function titleOf(head: Head): string {
  const said =
    head.meta.get('og:title') ??
    head.data.map(({ headline }) => stringOf(headline)).find(Boolean) ??
    head.heading;
  const [own = ''] = head.title.trim().split(SEPARATOR);
  const title = oneLine(said ?? '', MAX_TITLE) || oneLine(own.length > 10 ? own : head.title, MAX_TITLE);
  const site = head.meta.get('og:site_name');
  return site && title.endsWith(site)
    ? title.slice(0, -site.length).replace(/(?<!\s)\s*[|–—·»•:-]\s*$/, '')
    : title;
}

function publisherOf(head: Head): string | null {
  const named = head.data
    .map(({ publisher }) => (isRecord(publisher) ? stringOf(publisher.name) : stringOf(publisher)))
    .find(Boolean);
  return (
    oneLine(head.meta.get('og:site_name') ?? named ?? head.meta.get('application-name') ?? '', 200) || null
  );
}

function publishedOf(head: Head): string | null {
  const said = [
    ...PUBLISHED.slice(0, 4).map((name) => head.meta.get(name)),
    ...head.data.map(({ datePublished }) => datePublished),
    ...PUBLISHED.slice(4).map((name) => head.meta.get(name)),
    head.time,
  ];
  return said.map((time) => timeOf(time)).find((time) => time !== null) ?? null;
}

function tagsOf({ meta }: Head): string[] {
  const keywords = meta.get('news_keywords') ?? meta.get('keywords') ?? '';
  return [
    ...new Set(
      keywords
        .split(',')
        .map((tag) => oneLine(tag, 80).toLowerCase())
        .filter(Boolean),
    ),
  ].slice(0, 15);
}
