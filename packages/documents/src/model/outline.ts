import type { Block, Heading } from './document.ts';

export interface OutlineEntry {
  heading: Heading;
  /** Name to link to, unique in the document. */
  id: string;
  /** Id of the nearest heading above it of a higher rank. */
  parent?: string;
}

/** @returns the headings in order, each with a name that links lead to */
export function outlineOf(blocks: readonly Block[]): OutlineEntry[] {
  const entries: OutlineEntry[] = [];
  for (const block of blocks) {
    if (block.kind !== 'heading') continue;
    const parent = entries.findLast(({ heading }) => heading.level < block.level)?.id;
    entries.push({ heading: block, id: `section-${entries.length + 1}`, parent });
  }
  return entries;
}

/** Fewer headings than this need no table of contents. */
const WORTH_LISTING = 4;

/** @returns what a table of contents lists: the two upper levels, or nothing in a short document */
export function contentsOf(outline: readonly OutlineEntry[]): OutlineEntry[] {
  const listed = outline.filter(({ heading }) => heading.level < 3);
  return listed.length < WORTH_LISTING ? [] : listed;
}
