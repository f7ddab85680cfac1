import { Readability } from '@mozilla/readability';
import type { Page, PageNode } from './page.rules.ts';

/** An article of so many characters is taken for one; where there is less, it is looked for less strictly. */
const ENOUGH = 200;
// Readability's time grows with the square of depth, and it reads up to four times.
const MAX_NODES = 20_000;
const MAX_DEPTH = 100;
/** No words of an article; pictures are what Readability spends its time on. */
const WORDLESS = 'img,picture,svg,video,audio,canvas,iframe,object,embed,noscript';
/** What Readability leaves where an article is short. */
const CONSENT = /(?:^|[\s_-])(?:cookies?|consent)(?:$|[\s_-])/i;

/**
 * The part of a page that is its article, by Readability; all of it where none is found, or where the page is too large
 * to look for it. Takes the page apart.
 */
export function mainContent({ document, nodes, depth }: Page): PageNode {
  if (nodes > MAX_NODES || depth > MAX_DEPTH) return document.body;
  for (const element of document.querySelectorAll(WORDLESS)) element.remove();
  for (const element of document.body.querySelectorAll('[class],[id]'))
    if (CONSENT.test(`${element.getAttribute('class')} ${element.id}`)) element.remove();
  const reader = new Readability<PageNode>(document, {
    charThreshold: ENOUGH,
    serializer: (node: PageNode) => node,
  });
  return reader.parse()?.content ?? document.body;
}
