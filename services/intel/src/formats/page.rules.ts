import { Parser } from 'htmlparser2';
import { Unreadable } from './reading.rules.ts';

/** An element that blocks of text stand in. */
export interface PageElement {
  tag: string;
  /** Index of the element around it; -1 for the outermost. */
  parent: number;
  /** Its class, id, role and item property. */
  marks: string;
}

/** A paragraph, heading, row or other run of text without a break. */
export interface Block {
  element: number;
  tag: string;
  text: string;
  /** Characters of it that stand in links. */
  linked: number;
}

export interface Page {
  elements: PageElement[];
  blocks: Block[];
  title: string;
  /** `<meta>` by name or property, in lower case; the first of each counts. */
  meta: Map<string, string>;
  canonical: string | null;
  /** Contents of JSON-LD scripts. */
  data: string[];
  /** The first `<time datetime>`. */
  time: string | null;
}

const MAX_DEPTH = 512;
const MAX_ELEMENTS = 100_000;
const MAX_DATA = 200_000;
const BLOCKS = new Set(
  'address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);
const DROPPED = new Set(
  'script style noscript template svg math iframe object embed canvas nav aside footer form button select input textarea dialog audio video map'.split(
    ' ',
  ),
);
const CELLS = new Set(['td', 'th']);
const CLUTTER =
  /(?:^|[\s_-])(?:nav(?:bar|igation)?|menu|breadcrumbs?|sidebar|footer|cookies?|consent|newsletter|subscri\w+|signup|share|sharing|social|related|recommended|popular|trending|promo\w*|advert\w*|ads?|sponsored|comments?|disqus|pagination|pager|popup|modal|tooltip|skip-?link|sr-only|visually-hidden|screen-reader-text|author-?bio|byline-?links|toc|table-of-contents)(?:$|[\s_-])/i;
const CONTENT = /(?:^|[\s_-])(?:article|content|post|entry|story|main|body|page|blog)(?:$|[\s_-])/i;
const ATTACK_LINK =
  /^https?:\/\/attack\.mitre\.org\/(?:techniques\/(T\d{4})(?:\/(\d{3}))?|groups\/(G\d{4})|software\/(S\d{4}))/;

/** Takes a page of HTML apart, without what is hidden, for navigation or for decoration. @throws Unreadable when nested beyond reason */
export function parsePage(html: string): Page {
  const page: Page = {
    elements: [],
    blocks: [],
    title: '',
    meta: new Map(),
    canonical: null,
    data: [],
    time: null,
  };
  const open: number[] = [];
  let buffer = '';
  let linked = 0;
  /** Depths at which something dropped, a link, preformatted text, the title or data began; 0 outside of them. */
  const since = { dropped: 0, link: 0, pre: 0, title: 0, data: 0 };
  let suffix = '';

  function flush(tag: string): void {
    const text = since.pre ? buffer : buffer.replace(/\s+/g, ' ');
    if (text.trim() !== '')
      page.blocks.push({
        element: open.at(-1) ?? -1,
        tag,
        text: text.trim(),
        linked: Math.min(linked, text.length),
      });
    buffer = '';
    linked = 0;
  }

  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        if (open.length >= MAX_DEPTH) throw new Unreadable(`It is nested deeper than ${MAX_DEPTH} levels.`);
        if ((BLOCKS.has(tag) && !CELLS.has(tag)) || (tag === 'br' && !since.pre)) flush(tag);
        if (CELLS.has(tag) && buffer.trim() !== '') buffer += ' | ';
        if (tag === 'br' && since.pre) buffer += '\n';
        const marks = ['class', 'id', 'role', 'itemprop']
          .map((name) => attributes[name] ?? '')
          .join(' ')
          .trim();
        const parent = open.at(-1) ?? -1;
        if (page.elements.length < MAX_ELEMENTS) page.elements.push({ tag, parent, marks });
        open.push(page.elements.length - 1);
        if (!since.dropped && isDropped(tag, marks, attributes)) since.dropped = open.length;
        if (tag === 'title' && page.title === '') since.title = open.length;
        if (tag === 'script' && attributes.type?.toLowerCase() === 'application/ld+json') {
          since.data = open.length;
          page.data.push('');
        }
        if (tag === 'pre' && !since.pre) since.pre = open.length;
        if (tag === 'a' && !since.link) {
          since.link = open.length;
          suffix = attackIdOf(attributes.href ?? '');
        }
        keepHead(page, tag, attributes);
      },
      ontext(text) {
        if (since.title) page.title += text;
        if (since.data) page.data[page.data.length - 1] = `${page.data.at(-1)}${text}`.slice(0, MAX_DATA);
        if (since.dropped || since.title) return;
        buffer += text;
        if (since.link) linked += text.trim().length;
      },
      onclosetag(tag) {
        const depth = open.length;
        if (tag === 'a' && since.link === depth) {
          if (suffix !== '' && !since.dropped && !buffer.endsWith(suffix)) buffer += ` (${suffix})`;
          suffix = '';
        }
        if (BLOCKS.has(tag) && !CELLS.has(tag)) flush(tag);
        for (const name of Object.keys(since) as (keyof typeof since)[])
          if (since[name] === depth) since[name] = 0;
        open.pop();
      },
      onend() {
        flush('body');
      },
    },
    { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  );
  parser.end(html);
  return page;
}

function isDropped(tag: string, marks: string, attributes: Record<string, string>): boolean {
  if (DROPPED.has(tag) || 'hidden' in attributes || attributes['aria-hidden'] === 'true') return true;
  if (
    /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d]*[1-9])/i.test(
      attributes.style ?? '',
    )
  )
    return true;
  if (['html', 'body', 'main', 'article'].includes(tag)) return false;
  return CLUTTER.test(marks) && !CONTENT.test(marks);
}

/** Writers link techniques to ATT&CK instead of naming their ids. */
function attackIdOf(href: string): string {
  const [, technique, sub, group, software] = ATTACK_LINK.exec(href) ?? [];
  return technique ? `${technique}${sub ? `.${sub}` : ''}` : (group ?? software ?? '');
}

function keepHead(page: Page, tag: string, attributes: Record<string, string>): void {
  if (tag === 'meta') {
    const name = (attributes.property ?? attributes.name ?? attributes.itemprop ?? '').toLowerCase();
    if (name !== '' && !page.meta.has(name)) page.meta.set(name, attributes.content ?? '');
  }
  if (tag === 'link' && /\bcanonical\b/i.test(attributes.rel ?? ''))
    page.canonical ??= attributes.href ?? null;
  if (tag === 'time') page.time ??= attributes.datetime ?? null;
}
