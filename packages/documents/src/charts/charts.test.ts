import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { render } from '../markup.ts';
import type { BarsChart, Chart } from '../model/chart.ts';
import { drawChart } from './chart.ts';
import { WIDTH } from './drawing.ts';
import { minutesUpTo, place } from './lanes.ts';
import { textWidth, wrap } from './lettering.ts';
import { sharesOf } from './stacked.ts';

const svgOf = (chart: Chart): string => render(drawChart(chart));
const bars = (rows: BarsChart['rows'], more: Partial<BarsChart> = {}): string =>
  svgOf({ kind: 'bars', title: 'Scores', rows, ...more });
/** Lengths of the bars with a fill, in drawing order: shapes that stand where they are drawn, unlike a chip. */
const lengths = (svg: string, fill: string) =>
  [...svg.matchAll(/<path d="([^"]*)" fill="(#\w+)"/g)]
    .filter((match) => match[2] === fill)
    .map((match) => (match[1] ?? '').matchAll(/[ML]([\d.]+) /g))
    .map((corners) => [...corners].map((corner) => Number(corner[1])))
    .map((across) => Math.max(...across) - Math.min(...across));

test('minutes are divided as people divide them', () => {
  expect(minutesUpTo(150)).toEqual([0, 30, 60, 90, 120, 150]);
  expect(minutesUpTo(60)).toEqual([0, 10, 20, 30, 40, 50, 60]);
  expect(minutesUpTo(100_000).length).toBeLessThanOrEqual(10);
});

describe('lettering', () => {
  test('lines are no wider than asked, and nothing is lost where it fits', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        const lines = wrap(text, 120, 50);
        expect(lines.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
        for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(120);
      }),
    );
  });

  test('a text too long ends in an ellipsis, however long it is', () => {
    const lines = wrap('word '.repeat(20_000), 120, 2);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/…$/);
  });
});

describe('bars', () => {
  const green = '#1f6f54';

  test('are as long as their values, and say number and letter', () => {
    const svg = bars([
      { label: 'a', value: 50, rating: 'P' },
      { label: 'b', value: 100, rating: 'P' },
    ]);
    const [half = 0, whole = 0] = lengths(svg, green);
    expect(half * 2).toBeCloseTo(whole, -0.5);
    expect(whole).toBeGreaterThan(WIDTH / 3);
    expect(svg).toContain('>50</text>');
    expect(svg).toContain('>P</text>');
  });

  test('without a value there is no bar but the words', () => {
    const svg = bars([{ label: 'a', value: null }]);
    expect(svg).toContain('No data');
    expect(lengths(svg, '#1d3b5c')).toEqual([]);
  });

  test('bands are marked and named', () => {
    expect(bars([{ label: 'a', value: 1 }], { bands: { P: 80, S: 65, M: 50 } })).toContain('>S 65</text>');
  });
});

test('a value out of the scale stays within it', () => {
  const svg = bars([
    { label: 'a', value: 100, rating: 'P' },
    { label: 'b', value: 250, rating: 'P' },
  ]);
  const [whole, beyond] = lengths(svg, '#1f6f54');
  expect(beyond).toBe(whole);
});

test('a line stops at a null and goes on after it', () => {
  const values = [40, 50, null, 60, 70];
  const svg = svgOf({
    kind: 'line',
    title: 't',
    labels: ['a', 'b', 'c', 'd', 'e'],
    series: [{ label: 's', values }],
  });
  const line = /<path d="([^"]*)" fill="none" stroke="#1d3b5c"/.exec(svg)?.[1] ?? '';
  expect(line.match(/M/g)).toHaveLength(2);
  expect(line.match(/L/g)).toHaveLength(2);
  expect(svg.match(/<path [^>]*fill="#1d3b5c"/g)).toHaveLength(4);
});

describe('lanes', () => {
  test('marks of one row never touch', () => {
    const minutes = fc.array(fc.integer({ min: 0, max: 180 }), { maxLength: 30 });
    fc.assert(
      fc.property(minutes, (given) => {
        const marks = place(
          given.map((minute, index) => ({ id: `I${index}`, minute })),
          180,
        );
        for (const one of marks)
          for (const other of marks)
            if (one !== other && one.row === other.row)
              expect(Math.abs(one.x - other.x)).toBeGreaterThan((one.width + other.width) / 2);
      }),
    );
  });

  test('a late decision differs by its line and by a word, not by colour alone', () => {
    const svg = svgOf({
      kind: 'lanes',
      title: 't',
      minutes: 60,
      injects: [{ id: 'I1', minute: 5, title: 'x' }],
      decisions: [{ id: 'D1', minute: 90, title: 'y', injectId: 'I1', late: true }],
    });
    expect(svg).toContain('stroke-dasharray="4,3"');
    expect(svg).toContain('decided late (dashed)');
    expect(svg).toContain('Decision, late');
  });
});

test('the parts of a stacked bar fill it', () => {
  const positive = fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(positive, (values) => {
      const sum = sharesOf(values).reduce((total, share) => total + share, 0);
      expect(sum).toBeCloseTo(values.some(Boolean) ? 1 : 0);
    }),
  );
});

test('the gauge runs from left over the top to right', () => {
  const pointer = (value: number) =>
    /transform="matrix\(([^)]*)\)"/
      .exec(svgOf({ kind: 'gauge', title: 'g', value }))?.[1]
      ?.split(',')
      .map(Number);
  // The sine and cosine of the pointer's turn from upright.
  expect(pointer(0)?.slice(0, 2)).toEqual([0, -1]);
  expect(pointer(100)?.slice(0, 2)).toEqual([0, 1]);
  expect(svgOf({ kind: 'gauge', title: 'g', value: 50 })).toContain('transform="translate(320 126)"');
});

const charts: Chart[] = [
  { kind: 'bars', title: 'A <b> & "c"', rows: [] },
  { kind: 'line', title: 'L', labels: [], series: [] },
  { kind: 'lanes', title: 'T', minutes: 0, injects: [], decisions: [] },
  { kind: 'heat', title: 'H', columns: [], rows: [{ label: 'r', cells: [null] }] },
  { kind: 'stacked', title: 'S', parts: [], rows: [{ label: 'r', values: [] }] },
  { kind: 'gauge', title: 'G', value: null },
];

test.each(charts)('an empty $kind chart draws, is named and described, and holds no NaN', (chart) => {
  const svg = svgOf(chart);
  expect(svg).toMatch(/^<svg [^>]*role="img"[^>]*><title>.+?<\/title><desc>/);
  expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  expect(svgOf(chart)).toBe(svg);
});

test('a drawing has no style, no id and no class, which a strict page and a second chart on it would not take', () => {
  const values = [1, 2, 3];
  const series = [{ label: 'class="zr1" style="x:y"', values }];
  const svg = svgOf({ kind: 'line', title: 't', labels: ['a', 'b', 'c'], series: [...series, ...series] });
  expect(svg).not.toMatch(/<style| style="| class="| id="|ecmeta/);
  expect(svg).toContain('style=&quot;x');
});
