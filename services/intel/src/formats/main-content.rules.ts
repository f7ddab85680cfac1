import type { Block, Page } from './page.rules.ts';

const ENOUGH = 200;
const MARKED = /(?:^|\s)(?:articlebody|main)(?:$|\s)/i;
const POSITIVE = /article|content|post|entry|story|body|text|blog/i;
const NEGATIVE = /meta|foot|media|widget|tool|list|link|tag|card|teaser|hero|banner/i;
const MOST_LINKED = 0.6;
const SHORT = 200;

interface Sum {
  text: number;
  linked: number;
}

/**
 * The blocks of a page that are its article: inside what the page itself marks as its main part, else where most plain
 * text stands. After the idea of Readability (paragraphs vote for what they stand in), without its code.
 */
export function mainBlocks(page: Page): Block[] {
  const sums = sumsOf(page);
  const main = marked(page, sums) ?? elected(page, sums);
  const blocks =
    main === null ? page.blocks : page.blocks.filter(({ element }) => isWithin(page, element, main));
  const kept = blocks.filter(
    ({ text, linked }) =>
      linked / text.length < MOST_LINKED || (text.length >= SHORT && linked < text.length / 2),
  );
  return kept.length > 0 ? kept : blocks;
}

function sumsOf({ elements, blocks }: Page): Sum[] {
  const sums = elements.map(() => ({ text: 0, linked: 0 }));
  for (const { element, text, linked } of blocks) {
    const sum = sums[element];
    if (!sum) continue;
    sum.text += text.length;
    sum.linked += linked;
  }
  // Elements stand behind those around them.
  for (let at = elements.length - 1; at >= 0; at -= 1) {
    const around = sums[elements[at]?.parent ?? -1];
    const own = sums[at];
    if (!around || !own) continue;
    around.text += own.text;
    around.linked += own.linked;
  }
  return sums;
}

const plain = ({ text, linked }: Sum) => text - linked;

/** The largest part that the page says is its article, or else its main part. */
function marked({ elements }: Page, sums: readonly Sum[]): number | null {
  const largest = (wanted: (tag: string, marks: string) => boolean) =>
    elements.reduce<number | null>((best, { tag, marks }, at) => {
      const sum = sums[at];
      if (!sum || !wanted(tag, marks) || plain(sum) < ENOUGH) return best;
      return best !== null && plain(sums[best] ?? sum) >= plain(sum) ? best : at;
    }, null);
  const main = largest((tag, marks) => tag === 'main' || MARKED.test(marks));
  const article = largest((tag) => tag === 'article');
  if (main === null || article === null) return main ?? article;
  const [mainSum, articleSum] = [sums[main], sums[article]];
  // A list of articles is the main part; one article is it without what stands around it.
  return mainSum && articleSum && plain(articleSum) > plain(mainSum) * 0.6 ? article : main;
}

/** What the paragraphs vote for, widened as long as what is added is mostly text. */
function elected(page: Page, sums: readonly Sum[]): number | null {
  const { elements, blocks } = page;
  const votes = new Map<number, number>();
  for (const { element, text, linked } of blocks) {
    if (text.length < 25) continue;
    const worth =
      (1 + text.split(',').length / 2 + Math.min(3, text.length / 100)) * (1 - linked / text.length);
    const parent = elements[element]?.parent ?? -1;
    const around = elements[parent]?.parent ?? -1;
    for (const [at, share] of [
      [element, 0.5],
      [parent, 1],
      [around, 0.5],
    ] as const)
      if (at >= 0) votes.set(at, (votes.get(at) ?? 0) + worth * share);
  }
  let best: number | null = null;
  let most = 0;
  for (const [at, count] of votes) {
    const { marks = '', tag = '' } = elements[at] ?? {};
    const weight =
      (POSITIVE.test(marks) ? 1.25 : 1) *
      (NEGATIVE.test(marks) ? 0.8 : 1) *
      (tag === 'body' || tag === 'html' ? 0.9 : 1);
    if (count * weight > most) [best, most] = [at, count * weight];
  }
  return best === null ? null : widened(page, sums, best);
}

function widened({ elements }: Page, sums: readonly Sum[], from: number): number {
  let at = from;
  for (;;) {
    const parent = elements[at]?.parent ?? -1;
    const [own, around] = [sums[at], sums[parent]];
    if (!own || !around || around.linked / Math.max(1, around.text) > 0.25) return at;
    at = parent;
  }
}

function isWithin({ elements }: Page, element: number, wanted: number): boolean {
  for (let at = element; at >= 0; at = elements[at]?.parent ?? -1) if (at === wanted) return true;
  return false;
}
