import type { Chart } from './chart.ts';
import type { Tone } from './tone.ts';

/**
 * A document as data. Renderers read it; who writes it knows nothing of HTML or PDF. Every `string` here is plain text
 * and stays plain text in every form: no markup in it is ever interpreted.
 */
export interface DocumentModel {
  title: string;
  subtitle?: string;
  /** Handling label shown on every page, such as `TLP:AMBER`. */
  classification?: string;
  /** Label and value pairs of the cover block. */
  meta: [label: string, value: string][];
  /** BCP 47 tag of the text, such as `en`. */
  language: string;
  blocks: Block[];
}

export interface TextRun {
  kind: 'text';
  text: string;
  style?: 'strong' | 'emphasis' | 'code';
  /** Followed only where it is http or https. */
  href?: string;
}

export interface BadgeRun {
  kind: 'badge';
  text: string;
  tone: Tone;
}

export type Run = TextRun | BadgeRun;

export interface Heading {
  kind: 'heading';
  level: 1 | 2 | 3;
  text: string;
}

export interface Paragraph {
  kind: 'paragraph';
  runs: Run[];
  /** An opening paragraph, set larger. */
  lead?: boolean;
}

export interface List {
  kind: 'list';
  ordered: boolean;
  items: ListItem[];
}

export interface ListItem {
  runs: Run[];
  children?: List;
}

/** What may stand inside a callout or a step. */
export type Flow = Paragraph | List;

export interface Column {
  title: string;
  align?: 'left' | 'right' | 'center';
  /** Share of the table's width in percent; left out, the content decides. */
  width?: number;
}

export interface Table {
  kind: 'table';
  caption?: string;
  columns: Column[];
  /** Rows of cells, a cell per column. */
  rows: Run[][][];
}

export interface Figure {
  label: string;
  value: string;
  change?: { text: string; tone: Tone };
}

export interface KeyFigures {
  kind: 'figures';
  items: Figure[];
}

export interface Callout {
  kind: 'callout';
  tone: 'info' | 'warn' | 'critical';
  title?: string;
  content: Flow[];
}

export interface Quote {
  kind: 'quote';
  runs: Run[];
  source?: string;
}

export interface ChartBlock {
  kind: 'chart';
  chart: Chart;
  caption?: string;
}

export interface PageBreak {
  kind: 'page-break';
}

export interface Definitions {
  kind: 'definitions';
  items: { term: string; runs: Run[] }[];
}

export type StepState = 'open' | 'done' | 'late' | 'missed' | 'not_exercised';

export interface Step {
  title: Run[];
  state: StepState;
  content?: Flow[];
  /** Short facts under the step: owner, target time, controls. */
  notes?: [label: string, value: string][];
}

export interface Steps {
  kind: 'steps';
  items: Step[];
}

export interface Moment {
  /** When, as people read it: `14:05`, `+12 min`. */
  time: string;
  title: Run[];
  detail?: Run[];
  tone?: Tone;
}

export interface Timeline {
  kind: 'timeline';
  items: Moment[];
}

export type Block =
  | Heading
  | Paragraph
  | List
  | Table
  | KeyFigures
  | Callout
  | Quote
  | ChartBlock
  | PageBreak
  | Definitions
  | Steps
  | Timeline;
