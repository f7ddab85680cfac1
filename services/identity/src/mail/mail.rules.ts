import { escapeText } from '@muster/contracts';

/** A mail as it goes out. */
export interface Mail {
  to: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
  /** The same for every repetition, so that mail programs show one. */
  messageId: string;
}

/** Text of people's, made to fit into one line: no control characters, no turns of direction, one blank at a time. */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** A mail's id under the sender's domain, RFC 5322 section 3.6.4. @param local letters, digits, dots and hyphens */
export function messageIdOf(local: string, from: string): string {
  return `<${local}@${from.slice(from.lastIndexOf('@') + 1)}>`;
}

/** One paragraph each, and below them the link, if there is one. */
export function bodyOf(
  paragraphs: readonly string[],
  link?: { label: string; url: string },
): Pick<Mail, 'text' | 'html'> {
  const lines = paragraphs.map(oneLine);
  const shown = link && `<p><a href="${escapeText(link.url)}">${escapeText(link.label)}</a></p>`;
  const html = [...lines.map((line) => `<p>${escapeText(line)}</p>`), ...(shown ? [shown] : [])];
  return {
    text: `${[...lines, ...(link ? [`${link.label}: ${link.url}`] : [])].join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body>${html.join('')}</body></html>`,
  };
}
