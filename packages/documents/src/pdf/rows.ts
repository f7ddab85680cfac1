import type { Definitions, Step, Steps, Timeline } from '../model/document.ts';
import { MUTED, RULE, TONES } from '../model/palette.ts';
import { STEP_STATES } from '../model/wording.ts';
import { badgeNode } from './chip.ts';
import { breakable, flowNodes, plain, prose } from './inline.ts';
import { below, CONTENT_WIDTH, type Node } from './node.ts';
import { isNarrow, isShort } from './whole.ts';

const GAP = 14;
/** Widths of the left column in points. */
const NUMBER = 22;
const TIME = 74;
const TERM = 120;
/** The state of a step stands at the right. */
const STATE = 90;

export const definitionNodes = ({ items }: Definitions): Node[] =>
  items.map(({ term, runs }) =>
    row({ text: term, width: TERM }, prose(runs), { whole: isShort(runs), ruled: true }),
  );

export const timelineNodes = ({ items }: Timeline): Node[] =>
  items.map(({ time, title, detail = [], tone = 'neutral' }) =>
    row(
      { text: time, alignment: 'right', color: TONES[tone].ink, width: TIME },
      [...prose(title, { bold: true }), ...prose(detail)],
      { whole: isShort([title, detail]), ruled: false },
    ),
  );

export const stepNodes = ({ items }: Steps): Node[] => items.map(stepNode);

function stepNode({ title, state, content = [], notes = [] }: Step, index: number): Node {
  const { says, tone } = STEP_STATES[state];
  const width = CONTENT_WIDTH - NUMBER - GAP;
  const [first = { text: '' }, ...more] = prose(title, { bold: true });
  const head: Node = {
    columnGap: 0,
    columns: [
      { stack: [first], width: width - STATE },
      { stack: [{ ...badgeNode(says, TONES[tone].solid), alignment: 'right' }], width: STATE },
    ],
  };
  const detail = content.flatMap((flow) => flowNodes(flow, width)).map(lift);
  return row(
    { text: `${index + 1}`, fontSize: 12, color: TONES[tone].ink, lineHeight: 1.05, width: NUMBER },
    [head, ...more, ...detail, ...facts(notes)],
    { whole: isShort([title, content, notes]), ruled: true },
  );
}

function facts(notes: readonly [string, string][]): Node[] {
  if (notes.length === 0) return [];
  if (!isShort(notes)) return notes.flatMap(([label, value]) => prose(plain(`${label}: ${value}`)));
  const text = notes.flatMap(([label, value]): Node[] => [
    { text: breakable(`${label} `), color: MUTED },
    { text: breakable(`${value}      `) },
  ]);
  return [{ text, fontSize: 9, margin: [0, 2, 0, 0] }];
}

/** @returns flow closer to what is above it than on the page, for inside of boxes and rows */
export const lift = (node: Node): Node => ({ stack: [node], margin: [0, -4, 0, 0] });

/** Two columns and perhaps a rule under them, whole on a page or broken between the nodes of the right one. */
function row(
  left: Node & { text: string; width: number },
  right: Node[],
  options: { whole: boolean; ruled: boolean },
): Node {
  const narrow = isNarrow(left.text);
  const whole = options.whole && narrow;
  const above = narrow ? [] : prose(plain(left.text), { bold: true });
  const label: Node = { ...left, text: narrow ? breakable(left.text, 14) : '', bold: true };
  const pair = (beside: Node, stack: Node[]): Node => ({
    columns: [beside, { stack, width: CONTENT_WIDTH - left.width - GAP }],
    columnGap: GAP,
  });
  const [first = { text: '' }, ...rest] = right;
  const pairs = whole
    ? [pair(label, right)]
    : [pair(label, [first]), ...rest.map((node) => pair({ text: '', width: left.width }, [node]))];
  const rule = { type: 'line', x1: 0, y1: 0, x2: CONTENT_WIDTH, y2: 0, lineWidth: 0.5, lineColor: RULE };
  return {
    unbreakable: whole,
    stack: [below(8, ...above, ...pairs), ...(options.ruled ? [below(7, { canvas: [rule] })] : [])],
  };
}
