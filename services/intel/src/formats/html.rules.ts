import { isRecord, parseJson, stringOf } from './json.rules.ts';
import { mainBlocks } from './main-content.rules.ts';
import { type Page, parsePage } from './page.rules.ts';
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
const HEADING = /^h[1-6]$/;

/** Reads a web page: its article without what stands around it. @throws Unreadable when there is nothing to read on it */
export function readHtml(html: string, url: string | null): Reading {
  const page = parsePage(html);
  const data = page.data.flatMap(linkedData);
  const blocks = mainBlocks(page);
  const title = titleOf(page, data, blocks.find(({ tag }) => tag === 'h1')?.text);
  const body = tidy(blocks.map(({ tag, text }) => (HEADING.test(tag) ? `\n${text}` : text)).join('\n'));
  if (!/[\p{L}\p{N}]/u.test(body)) throw new Unreadable('There is no text to read on it.');
  const text = body.startsWith(title) ? body : tidy(`${title}\n\n${body}`, MAX_TEXT);
  const address = url ?? page.canonical ?? page.meta.get('og:url') ?? null;
  const host = address && URL.canParse(address) ? new URL(address).hostname : null;
  return emptyReading({
    format: 'html',
    url,
    title: title || oneLine(text, MAX_TITLE),
    publisher: publisherOf(page, data) ?? host,
    published_at: publishedOf(page, data),
    summary: oneLine(page.meta.get('og:description') ?? page.meta.get('description') ?? '', 500) || null,
    text,
    prose: [{ start: 0, end: text.length }],
    hosts: host === null ? [] : [host],
    tags: tagsOf(page),
  });
}

/** The text of a fragment of HTML, as feeds hold it. */
export function textOfHtml(fragment: string): string {
  if (!/[<&]/.test(fragment)) return tidy(fragment);
  const { blocks } = parsePage(fragment);
  return tidy(blocks.map(({ text }) => text).join('\n'));
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

function titleOf(page: Page, data: readonly Record<string, unknown>[], heading: string | undefined): string {
  const said =
    page.meta.get('og:title') ?? data.map(({ headline }) => stringOf(headline)).find(Boolean) ?? heading;
  const [own = ''] = page.title.trim().split(SEPARATOR);
  const title = oneLine(said ?? '', MAX_TITLE) || oneLine(own.length > 10 ? own : page.title, MAX_TITLE);
  const site = page.meta.get('og:site_name');
  return site && title.endsWith(site)
    ? title.slice(0, -site.length).replace(/(?<!\s)\s*[|–—·»•:-]\s*$/, '')
    : title;
}

function publisherOf(page: Page, data: readonly Record<string, unknown>[]): string | null {
  const named = data
    .map(({ publisher }) => (isRecord(publisher) ? stringOf(publisher.name) : stringOf(publisher)))
    .find(Boolean);
  return (
    oneLine(page.meta.get('og:site_name') ?? named ?? page.meta.get('application-name') ?? '', 200) || null
  );
}

function publishedOf(page: Page, data: readonly Record<string, unknown>[]): string | null {
  const said = [
    ...PUBLISHED.slice(0, 4).map((name) => page.meta.get(name)),
    ...data.map(({ datePublished }) => datePublished),
    ...PUBLISHED.slice(4).map((name) => page.meta.get(name)),
    page.time,
  ];
  return said.map((time) => timeOf(time)).find((time) => time !== null) ?? null;
}

function tagsOf({ meta }: Page): string[] {
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
