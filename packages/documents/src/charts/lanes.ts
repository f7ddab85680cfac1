import type { LanesChart } from '../model/chart.ts';
import { PAPER, RULE, TONES } from '../model/palette.ts';
import { type Drawing, LETTERS, ON_COLOUR, SMALL, STILL, WIDTH } from './drawing.ts';
import { textWidth, wrap } from './lettering.ts';

const LEFT = 100;
const RIGHT = 24;
const PLOT = WIDTH - LEFT - RIGHT;
const ROW = 26;
const PILL = 20;
/** Between the axis and the first row, in rows. */
const NEAREST = 1.1;
/** Steps that people divide an exercise by. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 1440];
const MOST_TICKS = 9;

interface Mark {
  id: string;
  minute: number;
  x: number;
  width: number;
  row: number;
}

/** Two lanes on one axis of minutes: injects above it, decisions below, a thin line from an inject to its decision. */
export function lanesDrawing(chart: LanesChart): Drawing {
  const last = Math.max(
    chart.minutes,
    1,
    ...[...chart.injects, ...chart.decisions].map(({ minute }) => minute),
  );
  const injects = place(chart.injects, last);
  const decisions = place(chart.decisions, last);
  const [above, below] = [roomOf(injects), roomOf(decisions)];
  const heightOf = new Map(injects.map((mark) => [mark.id, NEAREST + mark.row]));
  const late = chart.decisions.some((decision) => decision.late);
  return {
    height: (above + below) * ROW + (late ? 34 : 10),
    option: {
      grid: { left: LEFT, right: RIGHT, top: 4, height: (above + below) * ROW },
      legend: late ? legendOf(chart.decisions) : { show: false },
      xAxis: {
        type: 'value',
        min: 0,
        max: last,
        axisLine: { lineStyle: { color: RULE, width: 1.5 }, onZero: true },
        axisTick: { show: false },
        splitLine: { show: false },
        axisLabel: { show: false },
      },
      yAxis: { type: 'value', min: -below, max: above, show: false },
      series: [
        ...chart.decisions.map((decision, index) => ({
          ...STILL,
          type: 'line',
          name: nameOf(decision),
          symbol: 'none',
          data: linkOf(decision, decisions[index], injects, heightOf),
          itemStyle: { color: shadeOf(decision.late) },
          lineStyle: { color: shadeOf(decision.late), width: 1, type: decision.late ? [4, 3] : 'solid' },
        })),
        pills(injects.map((mark) => ({ mark, y: NEAREST + mark.row, color: TONES.info.solid }))),
        pills(
          decisions.map((mark, index) => ({
            mark,
            y: -(NEAREST + mark.row),
            color: shadeOf(chart.decisions[index]?.late),
          })),
        ),
        words([
          ...minutesUpTo(last).map((minute) => ({ ...MINUTE, text: String(minute), at: [minute, 0] })),
          { ...EDGE, ...SMALL, text: 'Minute', at: [0, 0] },
          { ...EDGE, text: 'Injects', at: [0, NEAREST] },
          { ...EDGE, text: 'Decisions', at: [0, -NEAREST] },
        ]),
      ],
    },
  };
}

const IN_TIME = 'decided in time';
const LATE = 'decided late (dashed)';
const nameOf = ({ late }: LanesChart['decisions'][number]) => (late ? LATE : IN_TIME);

/** @returns where each mark stands, in the order given: by minute, and a row further out where marks would touch */
export function place(entries: readonly { id: string; minute: number }[], last: number): Mark[] {
  const ends: number[] = [];
  const marks = entries.map(({ id, minute }) => ({
    id,
    minute,
    x: (Math.max(0, minute) / last) * PLOT,
    width: Math.max(PILL, textWidth(pillText(id), 11) + 12),
    row: 0,
  }));
  for (const mark of [...marks].sort((one, other) => one.x - other.x)) {
    const start = mark.x - mark.width / 2;
    const free = ends.findIndex((end) => end + 3 <= start);
    mark.row = free === -1 ? ends.length : free;
    ends[mark.row] = mark.x + mark.width / 2;
  }
  return marks;
}

/** @returns minutes to write on the axis, at most ten, from 0 */
export function minutesUpTo(last: number): number[] {
  const step = STEPS.find((minutes) => last / minutes <= MOST_TICKS) ?? Math.ceil(last / MOST_TICKS);
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, index) => index * step);
}

const pillText = (id: string): string => wrap(id, 70, 1, 11)[0] ?? '';
const shadeOf = (late: boolean | undefined): string => TONES[late ? 'poor' : 'good'].solid;
const roomOf = (marks: Mark[]): number => Math.max(1, ...marks.map(({ row }) => row + 1)) + NEAREST - 0.4;

function linkOf(
  decision: LanesChart['decisions'][number],
  mark: Mark | undefined,
  injects: readonly Mark[],
  heightOf: ReadonlyMap<string, number>,
): number[][] {
  const inject = injects.find(({ id }) => id === decision.injectId);
  if (!inject || !mark) return [];
  return [
    [inject.minute, heightOf.get(inject.id) ?? NEAREST],
    [mark.minute, -(NEAREST + mark.row)],
  ];
}

const pills = (marks: readonly { mark: Mark; y: number; color: string }[]) => ({
  ...STILL,
  type: 'scatter',
  symbol: 'roundRect',
  z: 3,
  data: marks.map(({ mark, y, color }) => ({
    value: [mark.minute, y],
    symbolSize: [mark.width, PILL],
    itemStyle: { color, opacity: 1 },
    label: { ...ON_COLOUR, show: true, fontSize: 11, formatter: () => pillText(mark.id) },
  })),
});

/** A number on the axis, whose line it interrupts. */
const MINUTE = { ...SMALL, position: 'inside', backgroundColor: PAPER, padding: [1, 5] };
/** At the left edge. */
const EDGE = { ...LETTERS, fontWeight: 'bold', position: [-LEFT, 0], align: 'left', verticalAlign: 'middle' };

const words = (labels: readonly { text: string; at: number[] }[]) => ({
  ...STILL,
  type: 'scatter',
  symbolSize: 0,
  clip: false,
  z: 4,
  data: labels.map(({ text, at, ...style }) => ({
    value: at,
    label: { ...style, show: true, formatter: () => text },
  })),
});

const legendOf = (decisions: LanesChart['decisions']) => ({
  bottom: 0,
  left: LEFT,
  itemWidth: 24,
  itemGap: 24,
  itemStyle: { opacity: 0 },
  data: [IN_TIME, LATE].filter((name) => decisions.some((decision) => nameOf(decision) === name)),
  textStyle: { ...SMALL, fontSize: 11 },
});
