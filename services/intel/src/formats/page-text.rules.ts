import type { PageElement, PageNode } from './page.rules.ts';

const BLOCKS = new Set(
  'address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table tbody tfoot thead tr ul'.split(
    ' ',
  ),
);
const CELLS = new Set(['td', 'th']);
const DROPPED = new Set(
  'head title script style noscript template svg math iframe object embed canvas nav aside footer form button select input textarea dialog audio video map'.split(
    ' ',
  ),
);
const HEADING = /^h[1-6]$/;
const ATTACK_LINK =
  /^https?:\/\/attack\.mitre\.org\/(?:techniques\/(T\d{4})(?:\/(\d{3}))?|groups\/(G\d{4})|software\/(S\d{4}))/;

/** The text of a part of a page: a line for each paragraph, row and item, with an empty one before a heading. */
export function textOf(part: PageNode, mostLinked = 1): string {
  const lines: string[] = [];
  let line = '';
  let linked = 0;
  let preformatted = 0;
  let links = 0;

  function end(tag = ''): void {
    const text = (preformatted ? line : line.replace(/\s+/g, ' ')).trim();
    if (text !== '' && linked / text.length <= mostLinked) lines.push(HEADING.test(tag) ? `\n${text}` : text);
    line = '';
    linked = 0;
  }

  function write(node: PageNode): void {
    if (node.nodeType === 3) {
      line += node.nodeValue ?? '';
      if (links) linked += (node.nodeValue ?? '').trim().length;
    }
    if (node.nodeType !== 1 && node.nodeType !== 11 && node.nodeType !== 9) return;
    const tag = node.nodeName.toLowerCase();
    if (DROPPED.has(tag)) return;
    if (tag === 'br') {
      if (preformatted) line += '\n';
      else end();
    }
    if (CELLS.has(tag) && line.trim() !== '') line += ' | ';
    if (BLOCKS.has(tag)) end();
    if (tag === 'pre') preformatted += 1;
    if (tag === 'a') links += 1;
    for (let child = node.firstChild; child; child = child.nextSibling) write(child);
    if (tag === 'a') {
      links -= 1;
      line += attackIdOf(node as PageElement, line);
    }
    if (BLOCKS.has(tag)) end(tag);
    if (tag === 'pre') preformatted -= 1;
  }

  write(part);
  end();
  return lines.join('\n');
}

/** Writers link techniques to ATT&CK instead of naming their ids. */
function attackIdOf(link: PageElement, line: string): string {
  const [, technique, sub, group, software] = ATTACK_LINK.exec(link.getAttribute('href') ?? '') ?? [];
  const id = technique ? `${technique}${sub ? `.${sub}` : ''}` : (group ?? software ?? '');
  return id === '' || line.endsWith(id) ? '' : ` (${id})`;
}
