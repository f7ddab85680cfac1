import type { Drawing } from './drawing.ts';
import { LETTERS, LINE, STILL, WIDTH } from './drawing.ts';
import { wrap } from './lettering.ts';

const LABELS = 196;
const LEFT = 212;
const RIGHT = 112;
const GAP = 12;
const BAR = 15;

/** A row of a chart of bars: what stands before it, and behind it. */
export interface Row {
  label: string;
  /** ECharts' rich text. */
  result: string;
}

/**
 * Horizontal bars on one scale, all rows of one height.
 * @param chart.head room above the first bar
 * @param chart.series bars, one value a row
 * @param chart.rich styles of the results
 */
export function rowsDrawing(chart: {
  rows: readonly Row[];
  max: number;
  head: number;
  series: readonly object[];
  rich?: object;
  more?: object;
}): Drawing {
  const labels = chart.rows.map(({ label }) => wrap(label, LABELS, 3));
  const height = Math.max(1, ...labels.map((lines) => lines.length)) * LINE + GAP;
  const bottom = chart.head + Math.max(1, labels.length) * height;
  const plainAxis = { type: 'category', inverse: true, axisLine: { show: false }, axisTick: { show: false } };
  return {
    height: bottom + 4,
    option: {
      ...chart.more,
      grid: { left: LEFT, right: RIGHT, top: chart.head, height: bottom - chart.head },
      xAxis: { type: 'value', min: 0, max: chart.max, show: false },
      yAxis: [
        {
          ...plainAxis,
          data: labels.map((lines) => lines.join('\n')),
          axisLabel: { ...LETTERS, align: 'left', margin: LEFT, lineHeight: LINE, interval: 0 },
        },
        {
          ...plainAxis,
          position: 'right',
          data: chart.rows.map(({ result }) => result),
          axisLabel: { ...LETTERS, align: 'right', margin: RIGHT, interval: 0, rich: chart.rich },
        },
      ],
      series: chart.series.map((series) => ({ type: 'bar', barWidth: BAR, ...STILL, ...series })),
    },
  };
}

/** The room between the labels and the results. */
export const BAR_ROOM = WIDTH - LEFT - RIGHT;
