import type { LineChart } from '../model/chart.ts';
import { RULE, SERIES } from '../model/palette.ts';
import { type Drawing, LETTERS, SMALL, STILL } from './drawing.ts';

const TOP = 22;
const PLOT = 168;
const AXIS = 28;
const LEGEND_ROW = 20;
const LEGEND_ENTRIES = 3;
const DASHES = ['solid', [6, 4], [2, 3], [10, 4, 2, 4], [12, 3], [1, 5]] as const;
const MOST_LABELS = 16;

/** Lines over time; a place without a value interrupts its line. */
export function trendDrawing(chart: LineChart): Drawing {
  const { labels, series, min = 0, max = 100, unit = '' } = chart;
  const several = series.length > 1;
  const legend = several ? Math.ceil(series.length / LEGEND_ENTRIES) * LEGEND_ROW + 12 : 0;
  const crowded = labels.length > MOST_LABELS;
  return {
    height: TOP + PLOT + AXIS + legend,
    option: {
      grid: { left: 48, right: 26, top: TOP, height: PLOT },
      legend: several
        ? {
            left: 44,
            right: 0,
            top: TOP + PLOT + AXIS + 8,
            itemWidth: 26,
            itemGap: 18,
            textStyle: { ...LETTERS, fontSize: 11, width: 160, overflow: 'truncate' },
          }
        : { show: false },
      xAxis: {
        type: 'category',
        data: labels,
        boundaryGap: labels.length < 2,
        axisLine: { lineStyle: { color: RULE } },
        axisTick: { show: false },
        axisLabel: { ...SMALL, hideOverlap: true, showMaxLabel: true, width: 90, overflow: 'truncate' },
      },
      yAxis: {
        type: 'value',
        min,
        max,
        axisLabel: { ...SMALL, formatter: `{value}${unit}` },
        splitLine: { lineStyle: { color: RULE } },
      },
      series: series.map(({ label, values }, index) => ({
        ...STILL,
        type: 'line',
        name: label,
        data: labels.map((_, place) => values[place] ?? '-'),
        symbol: 'circle',
        symbolSize: crowded ? 4 : 7,
        showAllSymbol: true,
        itemStyle: { color: SERIES[index % SERIES.length] },
        lineStyle: { width: 2, type: DASHES[index % DASHES.length] },
        label: { ...LETTERS, show: !several && !crowded, position: 'top', fontSize: 11, fontWeight: 'bold' },
      })),
    },
  };
}
