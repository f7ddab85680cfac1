import type { Flow, List, Paragraph, Run } from '../model/document.ts';
import { ACCENT, MUTED, TONES, TRACK } from '../model/palette.ts';
import { safeHref } from '../model/safe.ts';
import { below, type Node } from './node.ts';
import { parts } from './parts.ts';

/** A longer word gets places to break at, so that it is measured in short pieces. */
const WORD = 80;
/** A longer text is laid out in parts: a line is found in time that grows with the length of what follows. */
const PART = 3_000;
const INDENT = 16;

/** @returns text with a place to break in every word longer than `length` */
export const breakable = (text: string, length = WORD): string =>
  text.replace(new RegExp(`\\S{${length}}`, 'gu'), '$&\u200b');

/** @returns plain text as runs */
export const plain = (text: string): Run[] => [{ kind: 'text', text }];

/** @returns the text on one line, cut to `most` characters */
export function shortened(text: string, most: number): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length > most ? `${flat.slice(0, most).trimEnd()}…` : flat;
}

/** @returns the runs as pdfmake's inlines; no text is interpreted, links are http or https */
export const inlines = (runs: readonly Run[]): Node[] => runs.map(inline);

function inline(run: Run): Node {
  if (run.kind === 'badge')
    return { text: `●\u00a0${breakable(run.text)}`, bold: true, color: TONES[run.tone].ink };
  const link = safeHref(run.href);
  return {
    text: breakable(run.text),
    ...(run.style === 'strong' && { bold: true }),
    ...(run.style === 'emphasis' && { italics: true }),
    ...(run.style === 'code' && { background: TRACK }),
    ...(link && { link, color: ACCENT, decoration: 'underline' as const }),
  };
}

/**
 * @param most cost of a part: see `parts`
 * @returns the text in nodes of bounded length, one under the other
 */
export const prose = (
  runs: readonly Run[],
  style: Pick<Node, 'style' | 'bold' | 'italics' | 'alignment'> = {},
  most = PART,
): Node[] => parts(runs, most).map((part) => ({ text: inlines(part), ...style }));

/** @param width points that the flow has */
export const flowNodes = (flow: Flow, width: number): Node[] =>
  flow.kind === 'list' ? listNodes(flow, width) : paragraphNodes(flow);

const paragraphNodes = ({ runs, lead }: Paragraph): Node[] =>
  prose(runs, lead ? { style: 'lead' } : {}).map((node, index) => ({
    ...node,
    margin: [0, index === 0 ? 8 : 0, 0, 0],
  }));

function listNodes(list: List, width: number): Node[] {
  const inner = width - INDENT;
  return list.items.flatMap(({ runs, children }, index) => {
    const mark = list.ordered ? `${index + 1}.` : '•';
    const own = prose(runs).map((part, piece) => {
      const columns = [
        { text: piece === 0 ? mark : '', width: INDENT, color: MUTED },
        { stack: [part], width: inner },
      ];
      return below(piece > 0 ? 0 : index === 0 ? 7 : 3.5, { columns });
    });
    const nested = children ? listNodes(children, inner) : [];
    return [...own, ...nested.map((node): Node => ({ stack: [node], margin: [INDENT, 0, 0, 0] }))];
  });
}
