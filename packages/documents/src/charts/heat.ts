import type { HeatChart, Rating } from '../model/chart.ts';
import { MUTED, PAPER, ratingShade, TRACK } from '../model/palette.ts';
import { RATINGS, WORDS } from '../model/wording.ts';
import { type Drawing, LETTERS, LINE, ON_COLOUR, SMALL, STILL, WIDTH } from './drawing.ts';
import { wrap } from './lettering.ts';

const LABELS = 160;
const LEFT = LABELS + 24;
const WIDEST = 150;
const NARROW = 44;

/** A row for each capability, a cell for each column; every cell says its number and its rating's letter. */
export function heatDrawing(chart: HeatChart): Drawing {
  const { columns, rows } = chart;
  const width = Math.min(WIDEST, (WIDTH - LEFT) / Math.max(1, columns.length));
  const heads = columns.map((text) => wrap(text, width - 6, 2, SMALL.fontSize));
  const top = Math.max(1, ...heads.map((lines) => lines.length)) * 13 + 8;
  const labels = rows.map(({ label }) => wrap(label, LABELS, 2));
  const height = Math.max(1, ...labels.map((lines) => lines.length)) * LINE + 14;
  const bare = { axisLine: { show: false }, axisTick: { show: false }, splitArea: { show: false } };
  return {
    height: top + Math.max(1, rows.length) * height + 4,
    option: {
      grid: {
        left: LEFT,
        top,
        width: width * Math.max(1, columns.length),
        height: Math.max(1, rows.length) * height,
      },
      xAxis: {
        ...bare,
        type: 'category',
        position: 'top',
        data: heads.map((lines) => lines.join('\n')),
        axisLabel: { ...SMALL, interval: 0, lineHeight: 13 },
      },
      yAxis: {
        ...bare,
        type: 'category',
        inverse: true,
        data: labels.map((lines) => lines.join('\n')),
        axisLabel: { ...LETTERS, interval: 0, align: 'left', margin: LEFT, lineHeight: LINE },
      },
      visualMap: {
        type: 'piecewise',
        show: false,
        dimension: 2,
        pieces: [
          ...RATING_SCALE.map((rating, value) => ({ value, color: ratingShade(rating).solid })),
          { value: NO_RATING, color: TRACK },
        ],
      },
      series: [
        {
          ...STILL,
          type: 'heatmap',
          itemStyle: { borderColor: PAPER, borderWidth: 1.5, borderRadius: 3 },
          label: { ...ON_COLOUR, show: true },
          data: rows.flatMap(({ cells }, row) =>
            columns.map((_, column) => cellOf(cells[column] ?? null, [column, row], width)),
          ),
        },
      ],
    },
  };
}

const RATING_SCALE = Object.keys(RATINGS) as Rating[];
const NO_RATING = RATING_SCALE.length;

function cellOf(cell: HeatChart['rows'][number]['cells'][number], place: [number, number], width: number) {
  if (cell === null) {
    const label = { formatter: () => WORDS.notMeasured, color: MUTED, fontWeight: 'normal' };
    return { value: [...place, NO_RATING], label };
  }
  const text = width < NARROW ? cell.rating : `${cell.value} ${cell.rating}`;
  return { value: [...place, RATING_SCALE.indexOf(cell.rating)], label: { formatter: () => text } };
}
