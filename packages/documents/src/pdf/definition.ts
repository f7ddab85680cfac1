import type { DocumentModel } from '../model/document.ts';
import { contentsOf, outlineOf } from '../model/outline.ts';
import { ACCENT, classificationColours } from '../model/palette.ts';
import { WORDS } from '../model/wording.ts';
import { bodyNodes } from './body.ts';
import { chipNode } from './chip.ts';
import { breakable, plain, prose, shortened } from './inline.ts';
import { below, CONTENT_WIDTH, type Node, PAGE } from './node.ts';
import { definitionNodes } from './rows.ts';
import { isNarrow } from './whole.ts';

const RUNNING_TITLE = 90;
const LONGEST_MARK = 28;
const META_COLUMNS = 2;
/** TLP 2.0 asks for twelve points or more, at the right of header and footer. */
const TLP_TYPE = 12;

/** @returns cover block, contents and the document's blocks, top to bottom */
export function contentNodes(document: DocumentModel): Node[] {
  const outline = outlineOf(document.blocks);
  const contents = contentsOf(outline);
  const body = bodyNodes(document.blocks, outline);
  if (contents.length === 0) return [...coverNodes(document), ...body];
  const [first, ...rest] = body;
  const start: Node[] = first ? [{ stack: [first], pageBreak: 'before' }] : [];
  return [...coverNodes(document), contentsNode(), ...start, ...rest];
}

/** What runs along the top of a page: the title from the second page on, the classification on every one. */
export function pageHeader(document: DocumentModel, page: number): Node {
  const title = page === 1 ? '' : shortened(document.title, RUNNING_TITLE);
  return {
    columns: [runningText(title), classificationMark(document.classification)],
    margin: [PAGE.side, 32, PAGE.side, 0],
  };
}

/** What runs along the bottom: the page of how many, and the classification again, as TLP asks. */
export function pageFooter(document: DocumentModel, page: number, pages: number): Node {
  return {
    columns: [runningText(`Page ${page} of ${pages}`), classificationMark(document.classification)],
    margin: [PAGE.side, 24, PAGE.side, 0],
  };
}

const runningText = (text: string): Node => ({ text, style: 'running', width: CONTENT_WIDTH * 0.72 });

function classificationMark(classification = ''): Node {
  const width = CONTENT_WIDTH * 0.28;
  if (classification === '') return { text: '', width };
  const { text, ground } = classificationColours(classification);
  const chip = chipNode(shortened(classification, LONGEST_MARK), { text, ground, size: TLP_TYPE });
  return { stack: [{ ...chip, alignment: 'right' }], width };
}

function coverNodes({ title, subtitle = '', meta }: DocumentModel): Node[] {
  const rule = { type: 'line', x1: 0, y1: 0, x2: CONTENT_WIDTH, y2: 0, lineWidth: 2.2, lineColor: ACCENT };
  return [
    below(18, ...prose(plain(title), { style: 'title' })),
    below(5, ...prose(plain(subtitle), { style: 'subtitle' })),
    below(11, ...metaNodes(meta)),
    below(20, { canvas: [rule] }),
  ];
}

function metaNodes(meta: DocumentModel['meta']): Node[] {
  if (!meta.every((pair) => pair.every(isNarrow)))
    return definitionNodes({
      kind: 'definitions',
      items: meta.map(([term, value]) => ({ term, runs: plain(value) })),
    });
  return Array.from({ length: Math.ceil(meta.length / META_COLUMNS) }, (_, row) => {
    const pairs = meta.slice(row * META_COLUMNS, (row + 1) * META_COLUMNS);
    return below(9, { columns: pairs.map(metaCell), columnGap: 20 });
  });
}

const metaCell = ([label, value]: [string, string]): Node => ({
  width: (CONTENT_WIDTH - 20) / META_COLUMNS,
  stack: [{ text: breakable(label, 30), style: 'label' }, { text: breakable(value, 30) }],
});

const contentsNode = (): Node => ({
  toc: {
    title: { text: WORDS.contents, style: 'h2', margin: [0, 26, 0, 6] },
    numberStyle: 'contents2',
  },
});
