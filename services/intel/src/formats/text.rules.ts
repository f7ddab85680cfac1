import { emptyReading, oneLine, type Reading, tidy, Unreadable } from './reading.rules.ts';

const MAX_TITLE = 200;

/** Reads a plain text; its first line is its title. @throws Unreadable when nothing in it can be read */
export function readText(document: string): Reading {
  const text = tidy(document);
  if (!/[\p{L}\p{N}]/u.test(text)) throw new Unreadable('It holds no text.');
  const first = text.split('\n', 1)[0] ?? '';
  const title = oneLine(first.replace(/^[#=*\s]+|(?<![#=*\s])[#=*\s]+$/g, '') || text, MAX_TITLE);
  return emptyReading({ format: 'text', title, text, prose: [{ start: 0, end: text.length }] });
}
