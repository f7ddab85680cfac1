import { element, type Markup, svgShapes } from '../markup.ts';
import type { Chart } from '../model/chart.ts';
import { barsDrawing } from './bars.ts';
import { type ChartData, chartData } from './data.ts';
import { type Drawing, shapes, WIDTH } from './drawing.ts';
import { gaugeDrawing } from './gauge.ts';
import { heatDrawing } from './heat.ts';
import { lanesDrawing } from './lanes.ts';
import { stackedDrawing } from './stacked.ts';
import { trendDrawing } from './trend.ts';

/** @returns the chart as an svg element, the same for the same chart, that a screen reader meets as an image with a name and its numbers */
export function drawChart(chart: Chart): Markup {
  const drawing = drawingOf(chart);
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width: WIDTH,
      height: drawing.height,
      viewBox: `0 0 ${WIDTH} ${drawing.height}`,
      role: 'img',
    },
    element('title', {}, chart.title),
    element('desc', {}, describe(chartData(chart))),
    svgShapes(shapes(drawing)),
  );
}

/** @returns the chart as ECharts takes it: what is drawn here on paper a page can draw with the same library */
export function drawingOf(chart: Chart): Drawing {
  switch (chart.kind) {
    case 'bars':
      return barsDrawing(chart);
    case 'line':
      return trendDrawing(chart);
    case 'lanes':
      return lanesDrawing(chart);
    case 'heat':
      return heatDrawing(chart);
    case 'stacked':
      return stackedDrawing(chart);
    case 'gauge':
      return gaugeDrawing(chart);
  }
}

const describe = ({ rows }: ChartData): string =>
  rows.map(([first = '', ...rest]) => `${first}: ${rest.filter(Boolean).join(', ')}`).join('; ');
