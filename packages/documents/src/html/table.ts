import { type Child, element, type Markup } from '../markup.ts';
import type { Run, Table } from '../model/document.ts';
import { inline } from './inline.ts';

/** A wide table or chart scrolls in its own region, which the keyboard reaches. */
export const region = (name: string, child: Child): Markup =>
  element('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': name }, child);

export function table(block: Table): Markup {
  const aligned = (column: number) => {
    const align = block.columns[column]?.align;
    return align && align !== 'left' ? align : undefined;
  };
  const titles = block.columns.map((column) => column.title).join(', ');
  return region(
    block.caption ?? titles,
    element(
      'table',
      {},
      block.caption && element('caption', {}, block.caption),
      element(
        'colgroup',
        {},
        block.columns.map(({ width }) =>
          element('col', { style: width === undefined ? undefined : `width:${Number(width)}%` }),
        ),
      ),
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          block.columns.map(({ title }, index) =>
            element('th', { scope: 'col', class: aligned(index) }, title),
          ),
        ),
      ),
      element(
        'tbody',
        {},
        block.rows.map((row) =>
          element(
            'tr',
            {},
            row.map((cell, index) =>
              element('td', { class: cellClass(aligned(index), cell), dir: 'auto' }, inline(cell)),
            ),
          ),
        ),
      ),
    ),
  );
}

/** A word that no column has room for may break anywhere; others keep whole. */
const LONG_WORD = /\S{28}/;

const cellClass = (aligned: string | undefined, cell: readonly Run[]): string | undefined =>
  [aligned, cell.some(({ text }) => LONG_WORD.test(text)) && 'long'].filter(Boolean).join(' ') || undefined;
