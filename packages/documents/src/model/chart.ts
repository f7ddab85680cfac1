import type { Tone } from './tone.ts';

/** HSEEP: performed without challenges, with some, with major ones, unable to be performed. */
export type Rating = 'P' | 'S' | 'M' | 'U';

/** Where a rating starts, in points of 100; U is what lies under M. */
export interface Bands {
  P: number;
  S: number;
  M: number;
}

export interface BarsChart {
  kind: 'bars';
  title: string;
  /** Scale runs from 0 to here, default 100. */
  max?: number;
  unit?: string;
  /** Marks where the ratings start. */
  bands?: Bands;
  rows: { label: string; value: number | null; rating?: Rating }[];
}

export interface LineChart {
  kind: 'line';
  title: string;
  unit?: string;
  /** Ends of the scale, default 0 and 100. */
  min?: number;
  max?: number;
  /** One label for each place along the axis. */
  labels: string[];
  /** A value for each label; null where there is none, which leaves a gap. */
  series: { label: string; values: (number | null)[] }[];
}

/** Injects above, decisions below, on one axis of minutes. */
export interface LanesChart {
  kind: 'lanes';
  title: string;
  /** Length of the exercise; grows to the latest mark. */
  minutes: number;
  injects: { id: string; minute: number; title: string }[];
  decisions: { id: string; minute: number; title: string; injectId?: string; late?: boolean }[];
}

export interface HeatChart {
  kind: 'heat';
  title: string;
  columns: string[];
  /** A cell for each column; null where nothing was measured. */
  rows: { label: string; cells: ({ value: number; rating: Rating } | null)[] }[];
}

export interface StackedChart {
  kind: 'stacked';
  title: string;
  parts: { label: string; tone: Tone }[];
  /** A count of 0 or more for each part. */
  rows: { label: string; values: number[] }[];
}

export interface GaugeChart {
  kind: 'gauge';
  title: string;
  /** 0 to 100, or null while nothing was measured. */
  value: number | null;
  /** The large word in the middle next to the number: a rating or a grade. */
  grade?: string;
  bands?: Bands;
}

export type Chart = BarsChart | LineChart | LanesChart | HeatChart | StackedChart | GaugeChart;
