/** What marks up text, or makes an address in it a link. */
const SPECIAL = /[\\`*_{}[\]|~$@]|(?<=https?|ftp|mailto):|(?<=www)\./gi;
const LINE_START = /^(\s*)(#{1,6}(?=\s|$)|[-+=]|\d{1,9}(?=[.)]))/;

/** @returns one line of text in which nothing is read as Markdown or HTML */
export function escapeLine(text: string): string {
  return text.replace(SPECIAL, '\\$&').replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** @returns a line whose first characters cannot open a heading, list, rule or code block */
export function escapeStart(line: string): string {
  return line
    .trimStart()
    .replace(LINE_START, (_, space: string, mark: string) =>
      /\d/.test(mark) ? `${space}${mark}\\` : `${space}\\${mark}`,
    );
}

/** @returns text as code: fenced by more backticks than it holds, line breaks as spaces */
export function codeSpan(text: string): string {
  const flat = text.replace(/\s+/g, ' ');
  const longest = Math.max(0, ...[...flat.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return longest > 0 || flat.trim() !== flat ? `${fence} ${flat} ${fence}` : `${fence}${flat}${fence}`;
}

/** @returns an address as a link target: characters that would end it are percent-encoded */
export const linkTarget = (href: string): string =>
  `<${href.replace(/[<>\\\s|]/g, (character) => encodeURIComponent(character))}>`;
