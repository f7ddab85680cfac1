import type { Chart } from '../model/chart.ts';
import { RATINGS, WORDS } from '../model/wording.ts';

/** What a chart shows, as a table of words. */
export interface ChartData {
  columns: string[];
  rows: string[][];
}

/** @returns every number of the chart as text, for who cannot see it or reads it in a form without pictures */
export function chartData(chart: Chart): ChartData {
  switch (chart.kind) {
    case 'bars': {
      const rated = chart.rows.some((row) => row.rating);
      return {
        columns: ['Item', 'Value', ...(rated ? ['Rating'] : [])],
        rows: chart.rows.map((row) => [
          row.label,
          number(row.value, chart.unit),
          ...(rated ? [row.rating ? `${row.rating} (${RATINGS[row.rating].says})` : WORDS.notMeasured] : []),
        ]),
      };
    }
    case 'line':
      return {
        columns: ['Period', ...chart.series.map((series) => series.label)],
        rows: chart.labels.map((label, index) => [
          label,
          ...chart.series.map((series) => number(series.values[index] ?? null, chart.unit)),
        ]),
      };
    case 'lanes':
      return {
        columns: ['Minute', 'Kind', 'Id', 'Title'],
        rows: [
          ...chart.injects.map(({ minute, id, title }) => ({ minute, cells: ['Inject', id, title] })),
          ...chart.decisions.map(({ minute, id, title, late }) => ({
            minute,
            cells: [late ? 'Decision, late' : 'Decision', id, title],
          })),
        ]
          .sort((one, other) => one.minute - other.minute)
          .map(({ minute, cells }) => [String(minute), ...cells]),
      };
    case 'heat':
      return {
        columns: ['Item', ...chart.columns],
        rows: chart.rows.map((row) => [
          row.label,
          ...chart.columns.map((_, index) => {
            const cell = row.cells[index];
            return cell ? `${cell.value} (${cell.rating})` : WORDS.noData;
          }),
        ]),
      };
    case 'stacked':
      return {
        columns: ['Item', ...chart.parts.map((part) => part.label)],
        rows: chart.rows.map((row) => [
          row.label,
          ...chart.parts.map((_, index) => String(row.values[index] ?? 0)),
        ]),
      };
    case 'gauge':
      return {
        columns: ['Item', 'Value', 'Grade'],
        rows: [[chart.title, number(chart.value), chart.grade ?? '']],
      };
  }
}

const number = (value: number | null, unit = ''): string =>
  value === null ? WORDS.noData : `${value}${unit}`;
