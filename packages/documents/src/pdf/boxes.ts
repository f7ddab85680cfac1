import { ACCENT } from '../model/palette.ts';
import { CONTENT_WIDTH, type Node, spacer } from './node.ts';

/** What a box takes of the page's width beside its content. */
export const BOX_SIDES = 26;
const ACROSS = 4;
const GAP = 16;

/**
 * @param stack each may stand on another page where the box is not whole
 * @returns a coloured bar at the left of what stands apart from the text, and room under it
 */
export function boxNode(stack: Node[], bar: string, options: { fill?: string; whole: boolean }): Node {
  const cell = (nodes: Node[]): Node => ({
    stack: nodes,
    ...(options.fill && { fillColor: options.fill }),
  });
  const body = options.whole ? [[cell(stack)]] : stack.map((node) => [cell([node])]);
  const box: Node = {
    table: { widths: [CONTENT_WIDTH - BOX_SIDES], body },
    layout: {
      hLineWidth: () => 0,
      vLineWidth: (column) => (column === 0 ? 2.5 : 0),
      hLineColor: () => bar,
      vLineColor: () => bar,
      paddingLeft: () => BOX_SIDES / 2 - 1,
      paddingRight: () => BOX_SIDES / 2 - 1,
      paddingTop: (row) => (row === 0 ? 8 : 0),
      paddingBottom: (row) => (row === body.length - 1 ? 6 : 0),
    },
  };
  return { unbreakable: options.whole, stack: [box, spacer(5)] };
}

/** @returns cells side by side with a strong rule above each, four to a row */
export function tiles(cells: Node[]): Node[] {
  const across = Math.min(ACROSS, Math.max(1, cells.length));
  const width = (CONTENT_WIDTH - GAP * (across - 1)) / across;
  const rows = Array.from({ length: Math.ceil(cells.length / across) }, (_, row) =>
    cells.slice(row * across, (row + 1) * across),
  );
  return rows.map((row) => ({
    unbreakable: true,
    columnGap: GAP,
    columns: row.map((cell) => ({
      width,
      stack: [
        { canvas: [{ type: 'line', x1: 0, y1: 0, x2: width, y2: 0, lineWidth: 2, lineColor: ACCENT }] },
        cell,
      ],
    })),
  }));
}
