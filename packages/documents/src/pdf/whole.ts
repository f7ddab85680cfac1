/**
 * What is kept whole must fit on a page, or pdfmake loses what does not. These estimates take the widest letters, so
 * that they err towards breaking.
 */

/** Characters that certainly fit on a page in its full width, and in a narrow column beside it. */
const PAGE_TEXT = 1_500;
const NARROW_TEXT = 200;
/** Every text takes a part of a line at least, every line break the rest of its line. */
const TEXT_COST = 20;
const BREAK_COST = 80;
const WIDEST_LETTER = 8.5;
const CELL_LINE = 12.2;
const CELL_HEIGHT = 560;

/** @returns whether all the texts in the data fit on a page, however they are arranged */
export const isShort = (data: unknown): boolean => cost(data) < PAGE_TEXT;

/** @returns whether the text fits beside a short one, in a column a fifth as wide as the page */
export const isNarrow = (text: string): boolean => cost(text) < NARROW_TEXT;

function cost(data: unknown): number {
  if (typeof data === 'string') return TEXT_COST + data.length + breaks(data) * BREAK_COST;
  if (data === null || typeof data !== 'object') return 0;
  return Object.values(data).reduce<number>((sum, part) => sum + cost(part), 0);
}

const breaks = (text: string): number => text.split('\n').length - 1;

/** @returns letters that a part of a high cell may have */
export const cellText = (width: number): number =>
  Math.max(BREAK_COST, (width / WIDEST_LETTER) * (CELL_HEIGHT / 2 / CELL_LINE));

/** @param width points that the cell's text has */
export function fitsCell(text: string, width: number): boolean {
  const lines = (text.length * WIDEST_LETTER) / Math.max(width, WIDEST_LETTER) + breaks(text) + 1;
  return lines * CELL_LINE < CELL_HEIGHT;
}
