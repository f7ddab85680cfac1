import { drawChart } from '../charts/chart.ts';
import { render } from '../markup.ts';
import type {
  Block,
  Callout,
  ChartBlock,
  Figure,
  Heading,
  KeyFigures,
  PageBreak,
  Quote,
} from '../model/document.ts';
import { RULE, TONES } from '../model/palette.ts';
import { CALLOUTS } from '../model/wording.ts';
import { BOX_SIDES, boxNode, tiles } from './boxes.ts';
import { breakable, flowNodes, plain, prose, shortened } from './inline.ts';
import { below, CONTENT_WIDTH, type Node, spacer } from './node.ts';
import { definitionNodes, lift, stepNodes, timelineNodes } from './rows.ts';
import { tableNode } from './table.ts';
import { isNarrow, isShort } from './whole.ts';

/** A chart with many rows shrinks to this, in points. */
const CHART_HEIGHT = 600;
const LONGEST_CAPTION = 300;

/** @returns the block in nodes between which a page may end */
export function blockNodes(block: Exclude<Block, Heading | PageBreak>): Node[] {
  switch (block.kind) {
    case 'paragraph':
    case 'list':
      return flowNodes(block, CONTENT_WIDTH);
    case 'table':
      return block.caption
        ? [below(16, { stack: prose(plain(block.caption), { style: 'strong' }) }), below(5, tableNode(block))]
        : [below(12, tableNode(block))];
    case 'figures':
      return figures(block);
    case 'callout':
      return [callout(block)];
    case 'quote':
      return [quote(block)];
    case 'chart':
      return [chart(block)];
    case 'definitions':
      return definitionNodes(block);
    case 'steps':
      return stepNodes(block);
    case 'timeline':
      return timelineNodes(block);
  }
}

function figures({ items }: KeyFigures): Node[] {
  const short = items.every(({ label, value, change }) => [label, value, change?.text ?? ''].every(isNarrow));
  if (!short)
    return definitionNodes({
      kind: 'definitions',
      items: items.map(({ label, value, change }) => ({
        term: label,
        runs: plain(change ? `${value} (${change.text})` : value),
      })),
    });
  return tiles(items.map(tile)).map((row) => below(14, row));
}

const tile = ({ label, value, change }: Figure): Node => ({
  stack: [
    { text: breakable(value, 12), style: 'figure', margin: [0, 6, 0, 0] },
    { text: breakable(label), style: 'label' },
    ...(change
      ? [{ text: breakable(change.text), style: 'label', bold: true, color: TONES[change.tone].ink }]
      : []),
  ],
});

function callout({ tone, title, content }: Callout): Node {
  const { says, tone: colour } = CALLOUTS[tone];
  const shade = TONES[colour];
  const stack = [
    ...prose(plain(title ?? says), { bold: true }).map((node) => ({ ...node, color: shade.ink })),
    ...content.flatMap((flow) => flowNodes(flow, CONTENT_WIDTH - BOX_SIDES)).map(lift),
  ];
  return below(14, boxNode(stack, shade.solid, { fill: shade.wash, whole: isShort([title, content]) }));
}

function quote({ runs, source = '' }: Quote): Node {
  const stack = [...prose(runs, { italics: true }), ...prose(plain(source), { style: 'caption' })];
  return below(12, boxNode(stack, RULE, { whole: isShort([runs, source]) }));
}

const chart = ({ chart: drawn, caption }: ChartBlock): Node => ({
  unbreakable: true,
  stack: [
    below(16, { text: breakable(shortened(drawn.title, LONGEST_CAPTION)), style: 'strong' }),
    { svg: render(drawChart(drawn)), fit: [CONTENT_WIDTH, CHART_HEIGHT], margin: [0, 8, 0, 0] },
    ...(caption ? [{ text: breakable(shortened(caption, LONGEST_CAPTION)), style: 'caption' }] : []),
    spacer(7),
  ],
});
