import type { Markup } from '../markup.ts';
import type { Chart } from '../model/chart.ts';
import { drawBars } from './bars.ts';
import { type Drawing, svg } from './canvas.ts';
import { type ChartData, chartData } from './data.ts';
import { drawGauge } from './gauge.ts';
import { drawHeat } from './heat.ts';
import { drawLanes } from './lanes.ts';
import { drawStacked } from './stacked.ts';
import { drawTrend } from './trend.ts';

/** @returns the chart as an svg element, the same for the same chart, titled and described in words */
export function drawChart(chart: Chart): Markup {
  return svg(drawing(chart), chart.title, describe(chartData(chart)));
}

function drawing(chart: Chart): Drawing {
  switch (chart.kind) {
    case 'bars':
      return drawBars(chart);
    case 'line':
      return drawTrend(chart);
    case 'lanes':
      return drawLanes(chart);
    case 'heat':
      return drawHeat(chart);
    case 'stacked':
      return drawStacked(chart);
    case 'gauge':
      return drawGauge(chart);
  }
}

const describe = ({ rows }: ChartData): string =>
  rows.map(([first = '', ...rest]) => `${first}: ${rest.filter(Boolean).join(', ')}`).join('; ');
