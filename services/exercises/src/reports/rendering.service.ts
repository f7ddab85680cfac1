import { type DocumentModel, toHtml, toMarkdown, toPdf } from '@muster/documents';
import { rendition } from '@muster/service-kit';

/** The forms that a document is rendered to. */
export type DocumentForm = 'html' | 'markdown' | 'pdf';

/**
 * Answers 200 with a document in a form. HTML and Markdown are read where they are, a PDF is saved as `<name>.pdf`.
 * @param file.date what the PDF says of its age: when what it tells came to be, so that repeats are equal
 */
export async function documentReply(
  document: DocumentModel,
  form: DocumentForm,
  { name, date }: { name: string; date: Date },
) {
  if (form === 'html') return withVary(rendition('text/html', toHtml(document)));
  if (form === 'markdown') return withVary(rendition('text/markdown', toMarkdown(document)));
  return withVary(rendition('application/pdf', await toPdf(document, date), { filename: `${name}.pdf` }));
}

/** An answer whose form was chosen by `Accept`, as caches must know. */
export function withVary<Reply extends { headers?: Record<string, string> }>(reply: Reply) {
  return { ...reply, headers: { ...reply.headers, vary: 'Accept' } };
}
