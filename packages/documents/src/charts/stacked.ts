import type { Child } from '../markup.ts';
import type { StackedChart } from '../model/chart.ts';
import { TONES, TRACK } from '../model/palette.ts';
import { box, type Drawing, label, WIDTH } from './canvas.ts';
import { textWidth, wrap } from './lettering.ts';

const BAR = 22;
const ROW = 58;

/** Bars of the same length, each cut by its parts' shares; every part's number is written in it or above it. */
export function drawStacked(chart: StackedChart): Drawing {
  const [legend, top] = drawLegend(chart.parts);
  const rows = chart.rows.map((row, index) => drawRow(chart, row, top + index * ROW));
  return { height: top + chart.rows.length * ROW, content: [legend, rows] };
}

/** @returns start and width of each part in chart units; nothing counted gives no width */
export function shares(values: readonly number[]): { start: number; width: number }[] {
  const counts = values.map((value) => (Number.isFinite(value) && value > 0 ? value : 0));
  const total = counts.reduce((sum, value) => sum + value, 0);
  let start = 0;
  return counts.map((value) => {
    const part = { start, width: total === 0 ? 0 : (value / total) * WIDTH };
    start += part.width;
    return part;
  });
}

function drawRow(chart: StackedChart, row: StackedChart['rows'][number], y: number): Child {
  const sums = chart.parts.map((_, index) => row.values[index] ?? 0);
  const summary = sums.join(' · ');
  return [
    label(0, y + 14, wrap(row.label, WIDTH - 140, 1)[0] ?? ''),
    label(WIDTH, y + 14, summary, { anchor: 'end', bold: true }),
    box(0, y + 22, [WIDTH, BAR], TRACK, { radius: 2, class: 'track' }),
    shares(sums).map(({ start, width }, index) => {
      const text = String(sums[index] ?? 0);
      const tone = chart.parts[index]?.tone ?? 'neutral';
      return [
        width > 0 && box(start, y + 22, [Math.max(1, width - 1.5), BAR], TONES[tone].solid),
        width > textWidth(text) + 8 &&
          label(start + width / 2, y + 37, text, { anchor: 'middle', bold: true, fill: '#ffffff' }),
      ];
    }),
  ];
}

function drawLegend(parts: StackedChart['parts']): [Child, number] {
  let [left, top] = [0, 12];
  const entries = parts.map((part) => {
    const text = wrap(part.label, 200, 1, 11)[0] ?? '';
    const width = 18 + textWidth(text, 11) + 18;
    if (left > 0 && left + width > WIDTH) [left, top] = [0, top + 20];
    const at = left;
    left += width;
    return [
      box(at, top - 9, [11, 11], TONES[part.tone].solid, { radius: 2 }),
      label(at + 17, top, text, { size: 11 }),
    ];
  });
  return [entries, top + 14];
}
