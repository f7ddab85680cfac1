import { type Child, element } from '../markup.ts';
import type { LineChart } from '../model/chart.ts';
import { MUTED, RULE, SERIES } from '../model/palette.ts';
import { type Drawing, label, line, round, scale, ticks, WIDTH } from './canvas.ts';
import { textWidth, wrap } from './lettering.ts';

const LEFT = 44;
const TOP = 14;
const BOTTOM = 186;
const LEGEND_ROW = 20;
const DASHES = [undefined, '6 4', '2 3', '10 4 2 4', '12 3', '1 5'];

/** Lines over time; a place without a value interrupts its line. */
export function drawTrend(chart: LineChart): Drawing {
  const [min, max] = [chart.min ?? 0, chart.max ?? 100];
  const y = scale([min, max], [BOTTOM, TOP]);
  const x = scale([0, Math.max(1, chart.labels.length - 1)], [LEFT + 18, WIDTH - 22]);
  const unit = chart.unit ?? '';
  const grid = ticks(min, max).map((tick) => [
    line([LEFT, y(tick)], [WIDTH, y(tick)], RULE, { class: 'rule' }),
    label(LEFT - 8, y(tick) + 4, `${tick}${unit}`, {
      anchor: 'end',
      size: 10.5,
      fill: MUTED,
      class: 'muted',
    }),
  ]);
  const several = chart.series.length > 1;
  const [legend, height] = several ? drawLegend(chart) : [null, BOTTOM + 28];
  const lines = chart.series.map((series, index) => drawSeries(series.values, index, x, y, !several));
  return { height, content: [grid, drawLabels(chart.labels, x), lines, legend] };
}

/** @returns runs of neighbouring values, each with its place; a null ends a run */
export function segments(values: readonly (number | null)[]): [place: number, value: number][][] {
  const found: [number, number][][] = [[]];
  values.forEach((value, place) => {
    if (value === null || !Number.isFinite(value)) found.push([]);
    else found.at(-1)?.push([place, value]);
  });
  return found.filter((segment) => segment.length > 0);
}

function drawSeries(
  values: readonly (number | null)[],
  index: number,
  x: (place: number) => number,
  y: (value: number) => number,
  numbers: boolean,
): Child {
  const stroke = colourOf(index);
  const mark = index === 0 ? 'accent' : undefined;
  const crowded = values.length > 16;
  return segments(values).map((segment) => [
    segment.length > 1 &&
      element('path', {
        d: segment
          .map(([place, value], step) => `${step === 0 ? 'M' : 'L'}${round(x(place))} ${round(y(value))}`)
          .join(' '),
        fill: 'none',
        stroke,
        'stroke-width': 2,
        'stroke-linejoin': 'round',
        'stroke-dasharray': DASHES[index % DASHES.length],
        class: mark && 'accent-line',
      }),
    segment.map(([place, value]) => [
      element('circle', {
        cx: round(x(place)),
        cy: round(y(value)),
        r: crowded ? 2 : 3.5,
        fill: stroke,
        class: mark,
      }),
      numbers &&
        !crowded &&
        label(x(place), y(value) + (y(value) < TOP + 14 ? 18 : -9), String(value), {
          anchor: 'middle',
          size: 11,
          bold: true,
        }),
    ]),
  ]);
}

/** As many labels as fit without touching, the last one always. */
function drawLabels(labels: readonly string[], x: (place: number) => number): Child {
  const widest = Math.min(90, Math.max(20, ...labels.map((text) => textWidth(text, 10.5))));
  const every = Math.max(1, Math.ceil((labels.length * (widest + 10)) / (WIDTH - LEFT)));
  return labels.map((text, place) => {
    if ((labels.length - 1 - place) % every !== 0) return null;
    const anchor = place === labels.length - 1 && place > 0 ? 'end' : 'middle';
    const at = anchor === 'end' ? Math.min(WIDTH, x(place) + widest / 2) : x(place);
    const shown = wrap(text, 90, 1, 10.5)[0] ?? '';
    return label(at, BOTTOM + 18, shown, { anchor, size: 10.5, fill: MUTED, class: 'muted' });
  });
}

function drawLegend(chart: LineChart): [Child, number] {
  let [left, top] = [LEFT, BOTTOM + 44];
  const entries = chart.series.map((series, index) => {
    const text = wrap(series.label, 220, 1, 11)[0] ?? '';
    const width = 34 + textWidth(text, 11) + 18;
    if (left > LEFT && left + width > WIDTH) [left, top] = [LEFT, top + LEGEND_ROW];
    const at = left;
    left += width;
    return [
      line([at, top - 4], [at + 26, top - 4], colourOf(index), {
        width: 2,
        dash: DASHES[index % DASHES.length],
        class: index === 0 ? 'accent-line' : undefined,
      }),
      label(at + 32, top, text, { size: 11 }),
    ];
  });
  return [entries, top + 10];
}

const colourOf = (index: number): string => SERIES[index % SERIES.length] ?? MUTED;
