import type { Column, Run, Table } from '../model/document.ts';
import { ACCENT, RULE } from '../model/palette.ts';
import { loneBadge } from './chip.ts';
import { breakable, prose, shortened } from './inline.ts';
import { CONTENT_WIDTH, type Node, type TableLayout } from './node.ts';
import { cellText, fitsCell } from './whole.ts';

const PADDING = 7;
/** The head is repeated on every page, so it must leave room for rows. */
const LONGEST_TITLE = 120;
/** Characters of a column's longest word, of a short text kept on one line, and of the longest text that count. */
const LONGEST_WORD = 16;
const ONE_LINE = 14;
const LONGEST_TEXT = 90;

/** @returns a table whose head is repeated on every page and whose width is the page's; rows stay whole */
export function tableNode(table: Table): Node {
  const widths = columnWidths(table);
  const head = table.columns.map(
    ({ title, align }): Node => ({
      text: breakable(shortened(title, LONGEST_TITLE)),
      style: 'head',
      alignment: align,
    }),
  );
  const body = [head];
  const continued = new Set<number>();
  for (const row of table.rows) {
    const cells = row.map((cell, index) => cellNodes(cell, widths[index] ?? 0, table.columns[index]?.align));
    const height = Math.max(1, ...cells.map((nodes) => nodes.length));
    for (let piece = 0; piece < height; piece += 1) {
      if (piece > 0) continued.add(body.length);
      body.push(cells.map((nodes) => nodes[piece] ?? { text: '' }));
    }
  }
  return { table: { headerRows: 1, dontBreakRows: true, widths, body }, layout: ruleLayout(continued) };
}

/** A cell too high for a page goes on in further rows, for pdfmake lays out a row's pages in quadratic time. */
function cellNodes(cell: readonly Run[], width: number, alignment: Column['align']): Node[] {
  const chip = loneBadge(cell);
  if (chip) return [{ ...chip, alignment }];
  const most = fitsCell(cell.map(({ text }) => text).join(''), width) ? Infinity : cellText(width);
  return prose(cell, { style: 'cell', alignment }, most);
}

/** @returns points for each column: its share, or what its longest word and its longest text suggest */
export function columnWidths(table: Table): number[] {
  const given = table.columns.reduce((sum, { width }) => sum + (width ?? 0), 0);
  const weights = table.columns.map((column, index) =>
    column.width === undefined ? weightOf(table, index) : 0,
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const rest = Math.max(total === 1 ? 0 : 10, 100 - given);
  const shares = table.columns.map(({ width }, index) => width ?? (rest * (weights[index] ?? 0)) / total);
  const sum = shares.reduce((all, share) => all + share, 0) || 1;
  const usable = CONTENT_WIDTH - table.columns.length * 2 * PADDING + PADDING;
  return shares.map((share) => (share / sum) * usable);
}

function weightOf(table: Table, index: number): number {
  const texts = [
    table.columns[index]?.title ?? '',
    ...table.rows.map((row) => (row[index] ?? []).map(({ text }) => text).join('')),
  ];
  const longest = texts.reduce((most, text) => Math.max(most, Math.min(text.length, LONGEST_TEXT)), 3);
  const word = texts.reduce((most, text) => Math.max(most, longestWord(text)), 1);
  return Math.max(Math.min(word, LONGEST_WORD) + 1, longest <= ONE_LINE ? longest + 1 : longest ** 0.75);
}

const longestWord = (text: string): number =>
  text
    .slice(0, 2_000)
    .split(/\s+/)
    .reduce((most, word) => Math.max(most, word.length), 0);

/** Rules between rows but those that go on, a strong one under the head, none at the sides. */
const ruleLayout = (continued: ReadonlySet<number>): TableLayout => ({
  hLineWidth: (row) => (row === 0 || continued.has(row) ? 0 : row === 1 ? 1.2 : 0.5),
  vLineWidth: () => 0,
  hLineColor: (row) => (row === 1 ? ACCENT : RULE),
  vLineColor: () => RULE,
  paddingLeft: (column) => (column === 0 ? 0 : PADDING),
  paddingRight: () => PADDING,
  paddingTop: (row) => (continued.has(row) ? 0 : 5),
  paddingBottom: (row) => (continued.has(row + 1) ? 0 : 5),
});
