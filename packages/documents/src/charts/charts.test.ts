import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { render } from '../markup.ts';
import type { BarsChart, Chart } from '../model/chart.ts';
import { scale, ticks, WIDTH } from './canvas.ts';
import { drawChart } from './chart.ts';
import { at } from './gauge.ts';
import { minuteTicks, place } from './lanes.ts';
import { textWidth, wrap } from './lettering.ts';
import { shares } from './stacked.ts';
import { segments } from './trend.ts';

const svgOf = (chart: Chart): string => render(drawChart(chart));
const bars = (rows: BarsChart['rows'], more: Partial<BarsChart> = {}): string =>
  svgOf({ kind: 'bars', title: 'Scores', rows, ...more });
/** Widths of the rectangles with a fill, in drawing order. */
const widths = (svg: string, fill: string) =>
  [...svg.matchAll(/<rect [^>]*width="([\d.]+)"[^>]*fill="(#\w+)"/g)]
    .filter((match) => match[2] === fill)
    .map((match) => Number(match[1]));

describe('scale and ticks', () => {
  test('maps ends to ends, keeps what lies outside at the ends', () => {
    const x = scale([0, 50], [100, 200]);
    expect([x(0), x(25), x(50), x(80), x(-1), x(Number.NaN)]).toEqual([100, 150, 200, 200, 100, 100]);
  });

  test('ticks are round, inside, and few', () => {
    expect(ticks(0, 100)).toEqual([0, 20, 40, 60, 80, 100]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), (high) => {
        const marks = ticks(0, high);
        expect(marks.length).toBeLessThanOrEqual(7);
        expect(Math.max(...marks)).toBeLessThanOrEqual(high);
      }),
    );
  });

  test('minutes are divided as people divide them', () => {
    expect(minuteTicks(150)).toEqual([0, 30, 60, 90, 120, 150]);
    expect(minuteTicks(60)).toEqual([0, 10, 20, 30, 40, 50, 60]);
    expect(minuteTicks(100_000).length).toBeLessThanOrEqual(10);
  });
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
    const [half = 0, , whole = 0] = widths(svg, green);
    expect(half * 2).toBeCloseTo(whole);
    expect(svg).toContain('>50</text>');
    expect(svg).toContain('>P</text>');
  });

  test('without a value there is no bar but the words', () => {
    const svg = bars([{ label: 'a', value: null }]);
    expect(svg).toContain('No data');
    expect(widths(svg, '#1d3b5c')).toEqual([]);
  });

  test('bands are marked and named', () => {
    expect(bars([{ label: 'a', value: 1 }], { bands: { P: 80, S: 65, M: 50 } })).toContain('>S 65</text>');
  });
});

test('a line stops at a null and goes on after it', () => {
  expect(segments([1, 2, null, null, 3, null])).toEqual([
    [
      [0, 1],
      [1, 2],
    ],
    [[4, 3]],
  ]);
  const values = [40, 50, null, 60, 70];
  const svg = svgOf({
    kind: 'line',
    title: 't',
    labels: ['a', 'b', 'c', 'd', 'e'],
    series: [{ label: 's', values }],
  });
  expect(svg.match(/<path/g)).toHaveLength(2);
  expect(svg.match(/<circle/g)).toHaveLength(4);
});

describe('lanes', () => {
  test('marks of one row never touch', () => {
    const minutes = fc.array(fc.integer({ min: 0, max: 180 }), { maxLength: 30 });
    fc.assert(
      fc.property(minutes, (given) => {
        const marks = place(
          given.map((minute, index) => ({ id: `I${index}`, minute })),
          scale([0, 180], [100, 600]),
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
    expect(svg).toContain('stroke-dasharray="4 3"');
    expect(svg).toContain('Decision, late');
  });
});

test('the parts of a stacked bar fill it', () => {
  const positive = fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(positive, (values) => {
      const sum = shares(values).reduce((total, { width }) => total + width, 0);
      expect(sum).toBeCloseTo(values.some(Boolean) ? WIDTH : 0);
    }),
  );
});

test('the gauge runs from left over the top to right', () => {
  const [[left, base], [middle, top], [right]] = [at(0, 100), at(50, 100), at(100, 100)];
  expect([left, middle, right]).toEqual([220, 320, 420]);
  expect(base - top).toBe(100);
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
