import type { Child } from '../markup.ts';
import type { HeatChart } from '../model/chart.ts';
import { MUTED, ratingShade, TRACK } from '../model/palette.ts';
import { WORDS } from '../model/wording.ts';
import { box, type Drawing, LINE, label, TEXT, WIDTH } from './canvas.ts';
import { wrap } from './lettering.ts';

const LABELS = 160;
const LEFT = LABELS + 24;
const ROW = 26;
const GAP = 3;

/** A row for each capability, a cell for each column; every cell says its number and its rating's letter. */
export function drawHeat(chart: HeatChart): Drawing {
  const width = Math.min(150, (WIDTH - LEFT) / Math.max(1, chart.columns.length));
  const heads = chart.columns.map((text) => wrap(text, width - 6, 2, 10.5));
  const top = Math.max(0, ...heads.map((lines) => lines.length)) * 13 + 8;
  let y = top;
  const rows: Child[] = chart.rows.map((row) => {
    const lines = wrap(row.label, LABELS, 2);
    const height = Math.max(ROW, lines.length * LINE + 4);
    const middle = y + height / 2;
    const first = middle - ((lines.length - 1) * LINE) / 2 + TEXT * 0.36;
    const drawn = [
      lines.map((text, index) => label(0, first + index * LINE, text)),
      chart.columns.map((_, index) =>
        drawCell(row.cells[index] ?? null, LEFT + index * width, y, [width - GAP, height]),
      ),
    ];
    y += height + GAP;
    return drawn;
  });
  const titles = heads.map((lines, column) =>
    lines.map((text, index) =>
      label(LEFT + column * width + (width - GAP) / 2, top - 8 - (lines.length - 1 - index) * 13, text, {
        anchor: 'middle',
        size: 10.5,
        fill: MUTED,
        class: 'muted',
      }),
    ),
  );
  return { height: y + 2, content: [titles, rows] };
}

function drawCell(
  cell: HeatChart['rows'][number]['cells'][number],
  x: number,
  y: number,
  size: [number, number],
): Child {
  const [centre, base] = [x + size[0] / 2, y + size[1] / 2 + 4.5];
  if (cell === null)
    return [
      box(x, y, size, TRACK, { radius: 2, class: 'track' }),
      label(centre, base, WORDS.notMeasured, { anchor: 'middle', fill: MUTED, class: 'muted' }),
    ];
  const text = size[0] < 44 ? cell.rating : `${cell.value} ${cell.rating}`;
  return [
    box(x, y, size, ratingShade(cell.rating).solid, { radius: 2 }),
    label(centre, base, text, { anchor: 'middle', bold: true, fill: '#ffffff' }),
  ];
}
