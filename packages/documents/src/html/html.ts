import { type Child, element, type Markup, render, styleElement } from '../markup.ts';
import type { DocumentModel } from '../model/document.ts';
import { contentsOf, type OutlineEntry, outlineOf } from '../model/outline.ts';
import { classificationColours } from '../model/palette.ts';
import { safeDocument, safeLanguage } from '../model/safe.ts';
import { WORDS } from '../model/wording.ts';
import { htmlBlock } from './blocks.ts';
import { STYLE } from './style.ts';

/** The page forbids itself everything but its own styles, also when it is opened from a disk. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:";

/**
 * @returns a complete page without script, the same bytes for the same document. Every text of the document is escaped.
 */
export function toHtml(document: DocumentModel): string {
  const safe = safeDocument(document);
  const outline = outlineOf(safe.blocks);
  const ids = new Map(outline.map(({ heading, id }) => [heading, id]));
  const page = element(
    'html',
    { lang: safeLanguage(safe.language) },
    head(safe.title),
    element(
      'body',
      {},
      element('a', { href: '#content', class: 'skip' }, WORDS.skip),
      cover(safe),
      contents(contentsOf(outline)),
      element(
        'main',
        { id: 'content' },
        safe.blocks.map((block) => htmlBlock(block, ids)),
      ),
      safe.classification &&
        element('footer', { class: 'foot' }, safe.title, ' ', classification(safe.classification)),
    ),
  );
  return `<!doctype html>\n${render(page)}\n`;
}

const head = (title: string): Markup =>
  element(
    'head',
    {},
    element('meta', { charset: 'utf-8' }),
    element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    element('meta', { 'http-equiv': 'Content-Security-Policy', content: POLICY }),
    element('meta', { name: 'referrer', content: 'no-referrer' }),
    element('meta', { name: 'color-scheme', content: 'light dark' }),
    element('title', {}, title),
    styleElement(STYLE),
  );

const cover = (document: DocumentModel): Markup =>
  element(
    'header',
    { class: 'cover' },
    document.classification && classification(document.classification),
    element('h1', { dir: 'auto' }, document.title),
    document.subtitle && element('p', { class: 'subtitle', dir: 'auto' }, document.subtitle),
    document.meta.length > 0 &&
      element(
        'dl',
        { class: 'meta' },
        document.meta.map(([label, value]) =>
          element('div', {}, element('dt', {}, label), element('dd', { dir: 'auto' }, value)),
        ),
      ),
  );

function classification(label: string): Child {
  const { text, ground } = classificationColours(label);
  return element('span', { class: 'classification', style: `color:${text};background:${ground}` }, label);
}

const contents = (entries: readonly OutlineEntry[]): Child =>
  entries.length > 0 &&
  element(
    'nav',
    { class: 'contents', 'aria-labelledby': 'contents' },
    element('h2', { id: 'contents' }, WORDS.contents),
    element(
      'ol',
      {},
      entries.map(({ heading, id }) =>
        element('li', { class: `level-${heading.level}` }, element('a', { href: `#${id}` }, heading.text)),
      ),
    ),
  );
