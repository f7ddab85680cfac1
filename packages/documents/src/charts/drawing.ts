import {
  BarChart,
  CustomChart,
  GaugeChart,
  HeatmapChart,
  LineChart,
  PieChart,
  ScatterChart,
} from 'echarts/charts';
import {
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  VisualMapPiecewiseComponent,
} from 'echarts/components';
import { type EChartsCoreOption, init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { INK, MUTED } from '../model/palette.ts';

use([
  BarChart,
  CustomChart,
  GaugeChart,
  GridComponent,
  HeatmapChart,
  LegendComponent,
  LineChart,
  MarkLineComponent,
  PieChart,
  ScatterChart,
  SVGRenderer,
  VisualMapPiecewiseComponent,
]);

/** Units of every chart's width; on paper and screen it is scaled to the column. */
export const WIDTH = 640;
export const TEXT = 12;
export const LINE = 15;
const FONT = 'Roboto, system-ui, -apple-system, sans-serif';

/** A chart as ECharts takes it, and how high it is. */
export interface Drawing {
  height: number;
  option: EChartsCoreOption;
}

/** Letters of a chart; everything that is not said elsewhere is drawn in them. */
export const LETTERS = { fontFamily: FONT, fontSize: TEXT, color: INK };
export const SMALL = { ...LETTERS, fontSize: 10.5, color: MUTED };
/** Letters on a coloured ground. */
export const ON_COLOUR = { ...LETTERS, color: '#ffffff', fontWeight: 'bold' };

/** Nothing answers to a pointer: the picture is the same on paper. */
export const STILL = { silent: true, animation: false, emphasis: { disabled: true } } as const;

/** @returns what ECharts draws inside of its `svg` element: the same for the same drawing, without styles or classes */
export function shapes({ height, option }: Drawing): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height });
  try {
    chart.setOption({ animation: false, textStyle: LETTERS, ...option });
    return plain(chart.renderToSVGString());
  } finally {
    chart.dispose();
  }
}

/**
 * The shapes alone. Letters are said by attributes, since a strict page takes no style attributes, and nothing has an id,
 * which the next chart on the page would share. Texts are escaped, so that none of these patterns can stand in one.
 */
function plain(svg: string): string {
  const start = svg.indexOf('>') + 1;
  const style = svg.lastIndexOf('<style ');
  return svg
    .slice(start, style === -1 ? svg.lastIndexOf('</svg>') : style)
    .replaceAll('\n', '')
    .replaceAll(
      / (?:class="zr[\w-]*"|ecmeta_[a-z_]{1,30}="[^"]*"|pointer-events="\w*"|xml:space="\w*"|clip-path="[^"]*")/g,
      '',
    )
    .replaceAll(/ style="([^"]*)"/g, (_, css: string) => attributesOf(css))
    .replace(/<defs >.*<\/defs>/, '');
}

const attributesOf = (css: string): string =>
  css
    .split(';')
    .filter(Boolean)
    .map((rule) => rule.split(':'))
    .map(([name = '', value = '']) => ` ${name}="${value}"`)
    .join('');
