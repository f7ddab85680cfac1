import { type Child, element } from '../markup.ts';
import type { BarsChart } from '../model/chart.ts';
import { ACCENT, MUTED, RULE, ratingShade, TRACK } from '../model/palette.ts';
import { WORDS } from '../model/wording.ts';
import { box, type Drawing, LINE, label, line, scale, TEXT, WIDTH } from './canvas.ts';
import { wrap } from './lettering.ts';

const LABELS = 200;
const LEFT = LABELS + 24;
const RIGHT = 540;
const BAR = 14;
const GAP = 12;
const HEAD = 24;

/** Horizontal bars on one scale; with bands, dashed lines mark where each rating starts. */
export function drawBars(chart: BarsChart): Drawing {
  const max = chart.max ?? 100;
  const x = scale([0, max], [LEFT, RIGHT]);
  const marks = Object.entries(chart.bands ?? {});
  const top = marks.length > 0 ? HEAD : 4;
  const rows: Child[] = [];
  let y = top;
  for (const row of chart.rows) {
    const lines = wrap(row.label, LABELS, 3);
    const height = Math.max(BAR, lines.length * LINE);
    rows.push(drawRow(row, lines, y, height, x, chart.unit ?? ''));
    y += height + GAP;
  }
  const grid = marks.map(([rating, from]) => [
    line([x(from), top - 6], [x(from), y - GAP + 4], RULE, { dash: '3 3', class: 'rule' }),
    label(x(from), top - 11, `${rating} ${from}`, {
      anchor: 'middle',
      size: 10,
      fill: MUTED,
      class: 'muted',
    }),
  ]);
  return { height: y - GAP + 8, content: [rows, grid] };
}

function drawRow(
  row: BarsChart['rows'][number],
  lines: string[],
  y: number,
  height: number,
  x: (value: number) => number,
  unit: string,
): Child {
  const middle = y + height / 2;
  const shade = row.rating === undefined ? undefined : ratingShade(row.rating);
  const firstLine = middle - ((lines.length - 1) * LINE) / 2 + TEXT * 0.36;
  const value = row.value === null ? WORDS.noData : `${row.value}${unit}`;
  return element(
    'g',
    {},
    lines.map((text, index) => label(0, firstLine + index * LINE, text)),
    box(LEFT, middle - BAR / 2, [RIGHT - LEFT, BAR], TRACK, { radius: 2, class: 'track' }),
    row.value !== null &&
      box(LEFT, middle - BAR / 2, [x(row.value) - LEFT, BAR], shade?.solid ?? ACCENT, {
        radius: 2,
        class: shade ? undefined : 'accent',
      }),
    label(row.rating ? WIDTH - 34 : WIDTH - 2, middle + 4.5, value, {
      anchor: 'end',
      bold: row.value !== null,
    }),
    shade && box(WIDTH - 24, middle - 9, [22, 18], shade.solid, { radius: 3 }),
    row.rating &&
      label(WIDTH - 13, middle + 4.5, row.rating, { anchor: 'middle', bold: true, fill: '#ffffff' }),
  );
}
