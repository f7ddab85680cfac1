import type { BarsChart, Rating } from '../model/chart.ts';
import { ACCENT, RULE, ratingShade, TRACK } from '../model/palette.ts';
import { RATINGS, WORDS } from '../model/wording.ts';
import { type Drawing, ON_COLOUR, SMALL } from './drawing.ts';
import { rowsDrawing } from './rows.ts';

/** Horizontal bars on one scale; with bands, dashed lines mark where each rating starts. */
export function barsDrawing(chart: BarsChart): Drawing {
  const { rows, max = 100, unit = '' } = chart;
  const bands = Object.entries(chart.bands ?? {});
  return rowsDrawing({
    max,
    head: bands.length > 0 ? 24 : 4,
    rows: rows.map(({ label, value, rating }) => ({
      label,
      result: `${value === null ? WORDS.noData : `{value|${value}${unit}}`}${rating ? `  {${rating}|${rating}}` : ''}`,
    })),
    rich: { value: { fontWeight: 'bold' }, ...chips() },
    series: [
      {
        showBackground: true,
        backgroundStyle: { color: TRACK, opacity: 1, borderRadius: 2 },
        itemStyle: { borderRadius: 2 },
        data: rows.map(({ value, rating }) => ({
          value: value === null ? '-' : Math.min(max, Math.max(0, value)),
          itemStyle: { color: rating ? ratingShade(rating).solid : ACCENT },
        })),
        markLine: {
          silent: true,
          symbol: 'none',
          data: bands.map(([rating, from]) => ({ xAxis: from, name: `${rating} ${from}` })),
          label: { ...SMALL, formatter: '{b}', position: 'start' },
          lineStyle: { color: RULE, type: [3, 3], width: 1 },
        },
      },
    ],
  });
}

/** A rating's letter on its colour. */
function chips(): Record<string, object> {
  const chip = (rating: Rating) => ({
    ...ON_COLOUR,
    backgroundColor: ratingShade(rating).solid,
    borderRadius: 3,
    width: 22,
    align: 'center',
    padding: [4, 0],
  });
  return Object.fromEntries((Object.keys(RATINGS) as Rating[]).map((rating) => [rating, chip(rating)]));
}
