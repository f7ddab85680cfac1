export { toHtml } from './html/html.ts';
export { toMarkdown } from './markdown/markdown.ts';
export type * from './model/chart.ts';
export * from './model/compose.ts';
export type * from './model/document.ts';
export type { Tone } from './model/tone.ts';
export { toPdf } from './pdf/pdf.ts';
