import { Parser } from 'htmlparser2';
import { parseHTML } from 'linkedom/worker';
import { Unreadable } from './reading.rules.ts';

const MAX_DEPTH = 512;
/** What begins an element or an entity, each of which becomes a node. */
const MARK = /[<&]/g;
/** Behind so many of them a page has said more than is kept of a text. */
const MAX_MARKS = 100_000;
const BODY = /<body[\s>]/i;
const HIDDEN = '[hidden],[aria-hidden="true"]';
const UNSEEN = /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d]*[1-9])/i;

/** What is used of the nodes of a DOM. */
export interface PageNode {
  nodeType: number;
  nodeName: string;
  nodeValue: string | null;
  firstChild: PageNode | null;
  nextSibling: PageNode | null;
  parentNode: PageNode | null;
}

export interface PageElement extends PageNode {
  id: string;
  tagName: string;
  textContent: string;
  getAttribute(name: string): string | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  remove(): void;
}

export interface PageDocument extends PageElement {
  documentElement: PageElement | null;
  body: PageElement;
  getElementsByTagName(name: string): PageElement[];
}

export interface Page {
  document: PageDocument;
  /** How many nodes it has, and how deep they stand. */
  nodes: number;
  depth: number;
}

/** A page of HTML, or a fragment of one, without what is hidden; a very long one as far as it is read. @throws Unreadable when nested beyond reason */
export function parsePage(given: string): Page {
  const html = cut(given);
  refuseDepth(html);
  const document = parseDocument(html);
  const size = sizeOf(document.body);
  for (const element of document.body.querySelectorAll(HIDDEN)) element.remove();
  for (const element of document.body.querySelectorAll('[style]'))
    if (UNSEEN.test(element.getAttribute('style') ?? '')) element.remove();
  return { document, ...size };
}

/** Before a DOM is made, since making a deep one takes time with the square of its depth. */
function refuseDepth(html: string): void {
  let depth = 0;
  const parser = new Parser({
    onopentag() {
      depth += 1;
      if (depth > MAX_DEPTH) throw new Unreadable(`It is nested deeper than ${MAX_DEPTH} levels.`);
    },
    onclosetag() {
      depth -= 1;
    },
  });
  parser.end(html);
}

function cut(html: string): string {
  let marks = 0;
  for (const { index } of html.matchAll(MARK)) if (++marks > MAX_MARKS) return html.slice(0, index);
  return html;
}

function parseDocument(html: string): PageDocument {
  if (BODY.test(html)) {
    const { document } = parseHTML(html);
    const [body] = document.getElementsByTagName('body');
    if (document.documentElement?.tagName === 'HTML' && body === document.body) return document;
  }
  // A browser adds what a document leaves out; the DOM here does not.
  return parseHTML(`<!doctype html><html><head></head><body>${html}</body></html>`).document;
}

function sizeOf(root: PageNode): Pick<Page, 'nodes' | 'depth'> {
  let [nodes, depth, deepest] = [0, 0, 0];
  let node: PageNode | null = root;
  while (node) {
    nodes += 1;
    if (node.firstChild) {
      depth += 1;
      deepest = Math.max(deepest, depth);
      node = node.firstChild;
      continue;
    }
    while (node && node !== root && !node.nextSibling) {
      node = node.parentNode;
      depth -= 1;
    }
    node = !node || node === root ? null : node.nextSibling;
  }
  return { nodes, depth: deepest };
}
