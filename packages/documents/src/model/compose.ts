import type { Chart, Rating } from './chart.ts';
import type {
  Block,
  Callout,
  ChartBlock,
  Column,
  Definitions,
  Figure,
  Flow,
  Heading,
  KeyFigures,
  List,
  ListItem,
  Moment,
  PageBreak,
  Paragraph,
  Quote,
  Run,
  Step,
  StepState,
  Steps,
  Table,
  TextRun,
  Timeline,
} from './document.ts';
import type { Tone } from './tone.ts';
import { RATINGS } from './wording.ts';

/** Text as an author gives it: a string, a run, or several of both. */
export type Text = string | Run | readonly (string | Run)[];

/** @returns the runs of a text, without the empty ones */
export function runs(text: Text): Run[] {
  const parts = typeof text === 'string' || !isMany(text) ? [text] : text;
  return parts
    .map((part): Run => (typeof part === 'string' ? { kind: 'text', text: part } : part))
    .filter((run) => run.text !== '');
}

const isMany = (text: Run | readonly (string | Run)[]): text is readonly (string | Run)[] =>
  Array.isArray(text);

export const strong = (text: string): TextRun => ({ kind: 'text', text, style: 'strong' });
export const emphasis = (text: string): TextRun => ({ kind: 'text', text, style: 'emphasis' });
export const code = (text: string): TextRun => ({ kind: 'text', text, style: 'code' });

/** @param href anything but http and https leaves plain text */
export const link = (text: string, href: string): TextRun => ({ kind: 'text', text, href });
export const badge = (text: string, tone: Tone = 'neutral'): Run => ({ kind: 'badge', text, tone });

/** @returns a badge with the rating's letter in its colour, or a dash where nothing was rated */
export const ratingBadge = (rating: Rating | null): Run =>
  rating === null ? { kind: 'text', text: '–' } : badge(rating, RATINGS[rating].tone);

/** @param level 1 for a chapter; the title of the document stands above it */
export const heading = (level: 1 | 2 | 3, text: string): Heading => ({ kind: 'heading', level, text });
export const paragraph = (...text: (string | Run)[]): Paragraph => ({ kind: 'paragraph', runs: runs(text) });
export const lead = (...text: (string | Run)[]): Paragraph => ({ ...paragraph(...text), lead: true });

/** @param children a list nested under the item */
export const item = (text: Text, children?: List): ListItem => ({ runs: runs(text), children });
export const bullets = (items: readonly (Text | ListItem)[]): List => list(false, items);
export const numbered = (items: readonly (Text | ListItem)[]): List => list(true, items);

const list = (ordered: boolean, items: readonly (Text | ListItem)[]): List => ({
  kind: 'list',
  ordered,
  items: items.map((entry) => (isItem(entry) ? entry : item(entry))),
});
const isItem = (entry: Text | ListItem): entry is ListItem => typeof entry === 'object' && 'runs' in entry;

/**
 * @param columns titles, or columns with alignment and share of the width
 * @param rows a cell per column; cells left out are empty
 */
export function table(input: {
  caption?: string;
  columns: readonly (string | Column)[];
  rows: readonly (readonly Text[])[];
}): Table {
  const columns = input.columns.map((column) => (typeof column === 'string' ? { title: column } : column));
  const rows = input.rows.map((row) => columns.map((_, index) => runs(row[index] ?? '')));
  return { kind: 'table', caption: input.caption, columns, rows };
}

export const figures = (...items: Figure[]): KeyFigures => ({ kind: 'figures', items });

/** @param content paragraphs and lists; a plain text is one paragraph */
export const callout = (tone: Callout['tone'], content: Text | readonly Flow[], title?: string): Callout => ({
  kind: 'callout',
  tone,
  title,
  content: isFlows(content) ? [...content] : [prose(content)],
});

const prose = (text: Text): Paragraph => ({ kind: 'paragraph', runs: runs(text) });
const isFlows = (content: Text | readonly Flow[]): content is readonly Flow[] =>
  Array.isArray(content) &&
  content.length > 0 &&
  content.every((part) => part.kind === 'paragraph' || part.kind === 'list');

export const quote = (text: Text, source?: string): Quote => ({ kind: 'quote', runs: runs(text), source });
export const chart = (drawn: Chart, caption?: string): ChartBlock => ({
  kind: 'chart',
  chart: drawn,
  caption,
});
export const pageBreak = (): PageBreak => ({ kind: 'page-break' });

/** @param items term and what it means */
export const definitions = (items: readonly (readonly [term: string, text: Text])[]): Definitions => ({
  kind: 'definitions',
  items: items.map(([term, text]) => ({ term, runs: runs(text) })),
});

/** @param more detail under the step and short facts beside it */
export const step = (
  title: Text,
  state: StepState = 'open',
  more: Pick<Step, 'content' | 'notes'> = {},
): Step => ({ title: runs(title), state, ...more });
export const steps = (items: readonly Step[]): Steps => ({ kind: 'steps', items: [...items] });

export const moment = (time: string, title: Text, detail?: Text, tone?: Tone): Moment => ({
  time,
  title: runs(title),
  detail: detail === undefined ? undefined : runs(detail),
  tone,
});
export const timeline = (items: readonly Moment[]): Timeline => ({ kind: 'timeline', items: [...items] });

/** @returns the blocks in order; nested lists are joined and what is false or absent is left out */
export function blocks(...parts: readonly (Block | readonly Block[] | false | null | undefined)[]): Block[] {
  return parts.flatMap((part) => (part ? part : []));
}
