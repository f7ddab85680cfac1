import type { Block, Heading } from '../model/document.ts';
import type { OutlineEntry } from '../model/outline.ts';
import { blockNodes } from './blocks.ts';
import { breakable, shortened } from './inline.ts';
import { type Node, spacer } from './node.ts';

/** Room that a heading needs below it, in points, to stand at the end of a page. */
const COMPANY = 54;
const HEADING_TOP = { 1: 26, 2: 20, 3: 14 };
/** A longer heading is cut there, and stands whole as a paragraph under itself. */
const LONGEST_HEADING = 240;

/** @returns the blocks, with headings kept to what follows them and page breaks taken over by the next node */
export function bodyNodes(blocks: readonly Block[], outline: readonly OutlineEntry[]): Node[] {
  const entries = new Map(outline.map((entry) => [entry.heading, entry]));
  const nodes: Node[] = [];
  let heads: { node: Node; level: number }[] = [];
  let breaking = false;

  const add = (node: Node) => {
    nodes.push(breaking ? { stack: [node], pageBreak: 'before' } : node);
    breaking = false;
  };
  const flush = () => {
    for (const { node } of heads) add(node);
    heads = [];
  };
  const content = ([first, ...rest]: Node[]) => {
    if (!first) return;
    const kept =
      heads.length > 0
        ? withHeads(
            heads.map(({ node }) => node),
            first,
          )
        : [first];
    heads = [];
    kept.forEach(add);
    nodes.push(...rest);
  };

  for (const block of blocks) {
    const entry = block.kind === 'heading' ? entries.get(block) : undefined;
    if (block.kind === 'page-break') {
      flush();
      breaking = nodes.length > 0;
    } else if (block.kind !== 'heading') content(blockNodes(block));
    else if (entry) {
      if (heads.some(({ level }) => level >= block.level)) flush();
      heads.push({ node: headingNode(entry, heads.length > 0), level: block.level });
      if (isLong(block))
        content(blockNodes({ kind: 'paragraph', runs: [{ kind: 'text', text: block.text }] }));
    }
  }
  flush();
  return nodes;
}

const isLong = ({ text }: Heading): boolean => text.length > LONGEST_HEADING;

/** Whole things hang on to their headings; before what may break, the headings ask for some room and give it back. */
function withHeads(heads: readonly Node[], first: Node): Node[] {
  if (isWhole(first)) return [{ unbreakable: true, stack: [...heads, first] }];
  return [
    { unbreakable: true, stack: [...heads, spacer(COMPANY)] },
    { stack: [first], margin: [0, -COMPANY, 0, 0] },
  ];
}

const isWhole = (node: Node): boolean =>
  node.unbreakable === true || (node.stack?.length === 1 && node.stack.every(isWhole));

function headingNode({ heading, id, parent }: OutlineEntry, follows: boolean): Node {
  const text = shortened(heading.text, LONGEST_HEADING);
  return {
    text: breakable(text, 30),
    style: `h${heading.level}`,
    margin: [0, follows ? 10 : HEADING_TOP[heading.level], 0, 2],
    id,
    outline: true,
    outlineText: text,
    outlineParentId: parent,
    ...(heading.level < 3 && {
      tocItem: true,
      tocStyle: `contents${heading.level}`,
      tocMargin: heading.level === 1 ? [0, 4, 0, 0] : [14, 0, 0, 0],
    }),
  };
}
