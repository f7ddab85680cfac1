import type { StackedChart } from '../model/chart.ts';
import { PAPER, TONES, TRACK } from '../model/palette.ts';
import { type Drawing, LETTERS, ON_COLOUR } from './drawing.ts';
import { textWidth } from './lettering.ts';
import { BAR_ROOM, rowsDrawing } from './rows.ts';

/** Bars of the same length, each cut by its parts' shares; every part's number is written in it, and behind the bar. */
export function stackedDrawing(chart: StackedChart): Drawing {
  const rows = chart.rows.map((row) => chart.parts.map((_, part) => row.values[part] ?? 0));
  const shares = rows.map(sharesOf);
  return rowsDrawing({
    max: 1,
    head: 34,
    rows: chart.rows.map(({ label }, row) => ({ label, result: `{sums|${rows[row]?.join(' · ') ?? ''}}` })),
    rich: { sums: { fontWeight: 'bold' } },
    more: {
      legend: {
        top: 0,
        left: 0,
        itemWidth: 11,
        itemHeight: 11,
        itemGap: 18,
        data: chart.parts.map(({ label }) => label),
        textStyle: { ...LETTERS, fontSize: 11 },
      },
    },
    series: chart.parts.map(({ label, tone }, part) => ({
      name: label,
      stack: 'parts',
      showBackground: part === 0,
      backgroundStyle: { color: TRACK, opacity: 1 },
      itemStyle: { color: TONES[tone].solid, borderColor: PAPER, borderWidth: 0.75 },
      label: { ...ON_COLOUR, show: true, position: 'inside' },
      data: shares.map((share, row) => {
        const text = String(rows[row]?.[part] ?? 0);
        const fits = (share[part] ?? 0) * BAR_ROOM > textWidth(text) + 8;
        return { value: share[part] ?? 0, label: { show: fits, formatter: () => text } };
      }),
    })),
  });
}

/** @returns each part's share of the whole, 0 to 1; nothing counted gives 0 */
export function sharesOf(values: readonly number[]): number[] {
  const counts = values.map((value) => (Number.isFinite(value) && value > 0 ? value : 0));
  const total = counts.reduce((sum, value) => sum + value, 0);
  return counts.map((value) => (total === 0 ? 0 : value / total));
}
