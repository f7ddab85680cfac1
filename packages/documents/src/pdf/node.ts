import { ACCENT, INK, MUTED } from '../model/palette.ts';

/** A4 in points, and what the margins leave of it. */
export const PAGE = { width: 595.28, side: 58, top: 74, bottom: 66 };
export const CONTENT_WIDTH = PAGE.width - 2 * PAGE.side;

export type Margin = [left: number, top: number, right: number, bottom: number];

/** The part of pdfmake's document nodes that we use. Its own types would bring the DOM into every file's scope. */
export interface Node {
  text?: string | Node[];
  stack?: Node[];
  columns?: Node[];
  columnGap?: number;
  table?: { body: Node[][]; widths: number[]; headerRows?: number; dontBreakRows?: boolean };
  layout?: TableLayout;
  svg?: string;
  fit?: [width: number, height: number];
  canvas?: Record<string, string | number>[];
  toc?: { title: Node; numberStyle: string };
  width?: number;
  margin?: Margin;
  style?: string | string[];
  bold?: boolean;
  italics?: boolean;
  fontSize?: number;
  lineHeight?: number;
  color?: string;
  background?: string;
  fillColor?: string;
  alignment?: 'left' | 'right' | 'center';
  decoration?: 'underline';
  noWrap?: boolean;
  link?: string;
  unbreakable?: boolean;
  pageBreak?: 'before';
  id?: string;
  tocItem?: boolean;
  tocStyle?: string;
  tocMargin?: Margin;
  outline?: boolean;
  outlineText?: string;
  outlineParentId?: string;
}

export interface TableLayout {
  hLineWidth(row: number): number;
  vLineWidth(column: number): number;
  hLineColor(row: number): string;
  vLineColor(): string;
  paddingLeft(column: number): number;
  paddingRight(): number;
  paddingTop(row: number): number;
  paddingBottom(row: number): number;
}

/** Sizes and inks by name; a node names one or several. */
export const STYLES = {
  title: { fontSize: 25, bold: true, color: ACCENT, lineHeight: 1.15 },
  subtitle: { fontSize: 13, color: MUTED },
  h1: { fontSize: 17, bold: true, color: ACCENT, lineHeight: 1.2 },
  h2: { fontSize: 12.5, bold: true, color: ACCENT, lineHeight: 1.2 },
  h3: { fontSize: 10.5, bold: true, lineHeight: 1.2 },
  lead: { fontSize: 12, lineHeight: 1.45 },
  label: { fontSize: 8.5, color: MUTED },
  caption: { fontSize: 9, color: MUTED },
  strong: { bold: true },
  figure: { fontSize: 21, bold: true, lineHeight: 1.1 },
  cell: { fontSize: 9, lineHeight: 1.3 },
  head: { fontSize: 8.5, bold: true, lineHeight: 1.2 },
  running: { fontSize: 8.5, color: MUTED },
  contents1: { fontSize: 10.5, bold: true },
  contents2: { fontSize: 10 },
};

export const DEFAULT_STYLE = { font: 'Roboto', fontSize: 10, lineHeight: 1.38, color: INK };

/** @returns room of a height in points; unlike a lower margin it never opens a page of its own */
export const spacer = (height: number): Node => ({
  text: '',
  fontSize: 1,
  lineHeight: 1,
  margin: [0, height - 1, 0, 0],
});

/** @returns nodes one under the other with the distance above the first */
export const below = (top: number, ...stack: Node[]): Node => ({ stack, margin: [0, top, 0, 0] });
