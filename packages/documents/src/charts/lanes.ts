import { type Child, element } from '../markup.ts';
import type { LanesChart } from '../model/chart.ts';
import { ACCENT, MUTED, RULE, TONES } from '../model/palette.ts';
import { box, type Drawing, label, line, round, scale, WIDTH } from './canvas.ts';
import { textWidth, wrap } from './lettering.ts';

const LEFT = 100;
const RIGHT = WIDTH - 24;
const ROW = 26;
const PILL = 20;
const MIDDLE = 34;
/** Steps that people divide an exercise by. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 1440];
const MOST_TICKS = 9;

interface Mark {
  id: string;
  x: number;
  width: number;
  row: number;
}

/** Two lanes on one axis of minutes: injects above it, decisions below, a thin line from an inject to its decision. */
export function drawLanes(chart: LanesChart): Drawing {
  const last = Math.max(
    chart.minutes,
    1,
    ...[...chart.injects, ...chart.decisions].map(({ minute }) => minute),
  );
  const x = scale([0, last], [LEFT, RIGHT]);
  const injects = place(chart.injects, x);
  const decisions = place(chart.decisions, x);
  const axis = 12 + rowsOf(injects) * ROW + MIDDLE / 2;
  const bottom = axis + MIDDLE / 2 + rowsOf(decisions) * ROW;
  const above = (mark: Mark) => axis - MIDDLE / 2 - mark.row * ROW - PILL / 2;
  const below = (mark: Mark) => axis + MIDDLE / 2 + mark.row * ROW + PILL / 2;
  const byId = new Map(injects.map((mark) => [mark.id, mark]));
  return {
    height: bottom + 30,
    content: [
      drawAxis(last, axis, x),
      laneName(axis - MIDDLE / 2 - PILL / 2, 'Injects'),
      laneName(axis + MIDDLE / 2 + PILL / 2, 'Decisions'),
      decisions.map((mark, index) => {
        const decision = chart.decisions[index];
        const inject = byId.get(decision?.injectId ?? '');
        const stroke = decision?.late ? TONES.poor.solid : TONES.good.solid;
        return (
          inject &&
          line([inject.x, above(inject)], [mark.x, below(mark)], stroke, {
            dash: decision?.late ? '4 3' : undefined,
          })
        );
      }),
      injects.map((mark) => pill(mark, above(mark), ACCENT, 'accent')),
      decisions.map((mark, index) =>
        chart.decisions[index]?.late
          ? pill(mark, below(mark), TONES.poor.solid)
          : pill(mark, below(mark), TONES.good.solid),
      ),
      drawKey(
        bottom + 22,
        chart.decisions.some(({ late }) => late),
      ),
    ],
  };
}

/** @returns where each mark stands, in the order given: by minute, and a row further out where marks would touch */
export function place(
  entries: readonly { id: string; minute: number }[],
  x: (minute: number) => number,
): Mark[] {
  const ends: number[] = [];
  const marks = entries.map(({ id, minute }) => {
    const shown = wrap(id, 70, 1, 11)[0] ?? '';
    return { id, x: round(x(minute)), width: Math.max(PILL, textWidth(shown, 11) + 12), row: 0 };
  });
  for (const mark of [...marks].sort((one, other) => one.x - other.x)) {
    const start = mark.x - mark.width / 2;
    const free = ends.findIndex((end) => end + 3 <= start);
    mark.row = free === -1 ? ends.length : free;
    ends[mark.row] = mark.x + mark.width / 2;
  }
  return marks;
}

/** @returns minutes to write on the axis, at most ten, from 0 */
export function minuteTicks(last: number): number[] {
  const step = STEPS.find((minutes) => last / minutes <= MOST_TICKS) ?? Math.ceil(last / MOST_TICKS);
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, index) => index * step);
}

const rowsOf = (marks: Mark[]): number => Math.max(1, ...marks.map(({ row }) => row + 1));

function drawAxis(last: number, axis: number, x: (minute: number) => number): Child {
  return [
    line([LEFT, axis], [RIGHT, axis], RULE, { width: 1.5, class: 'rule' }),
    minuteTicks(last).map((minute) => [
      box(x(minute) - 13, axis - 8, [26, 16], '#ffffff', { class: 'page' }),
      label(x(minute), axis + 4, String(minute), {
        anchor: 'middle',
        size: 10.5,
        fill: MUTED,
        class: 'muted',
      }),
    ]),
    label(0, axis + 4, 'Minute', { size: 10.5, fill: MUTED, class: 'muted' }),
  ];
}

const laneName = (y: number, text: string): Child => label(0, y + 4, text, { bold: true });

const pill = (mark: Mark, y: number, fill: string, className?: string): Child =>
  element(
    'g',
    {},
    box(mark.x - mark.width / 2, y - PILL / 2, [mark.width, PILL], fill, {
      radius: PILL / 2,
      class: className,
    }),
    label(mark.x, y + 4, wrap(mark.id, 70, 1, 11)[0] ?? '', {
      anchor: 'middle',
      size: 11,
      bold: true,
      fill: '#ffffff',
      class: className && 'on-accent',
    }),
  );

function drawKey(y: number, late: boolean): Child {
  const key = (x: number, tone: 'good' | 'poor', text: string) => [
    line([x, y - 4], [x + 24, y - 4], TONES[tone].solid, {
      width: 2,
      dash: tone === 'poor' ? '4 3' : undefined,
    }),
    label(x + 30, y, text, { size: 11, fill: MUTED, class: 'muted' }),
  ];
  return late
    ? [key(LEFT, 'good', 'decided in time'), key(LEFT + 130, 'poor', 'decided late (dashed)')]
    : null;
}
