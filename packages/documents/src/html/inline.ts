import { type Child, element, type Markup } from '../markup.ts';
import type { Flow, List, Paragraph, Run } from '../model/document.ts';
import { safeHref } from '../model/safe.ts';

/** @returns the runs as markup; links are http or https */
export const inline = (runs: readonly Run[]): Child => runs.map(inlineRun);

function inlineRun(run: Run): Child {
  if (run.kind === 'badge') return element('span', { class: `badge ${run.tone}` }, run.text);
  const href = safeHref(run.href);
  const text = run.style === undefined ? run.text : element(STYLES[run.style], {}, run.text);
  return href ? element('a', { href, rel: 'noopener noreferrer nofollow' }, text) : text;
}

const STYLES = { strong: 'strong', emphasis: 'em', code: 'code' };

export const flow = (block: Flow): Markup => (block.kind === 'list' ? list(block) : paragraph(block));

const paragraph = ({ runs, lead }: Paragraph): Markup =>
  element('p', { class: lead && 'lead', dir: 'auto' }, inline(runs));

const list = (block: List): Markup =>
  element(
    block.ordered ? 'ol' : 'ul',
    {},
    block.items.map(({ runs, children }) =>
      element('li', { dir: 'auto' }, inline(runs), children && list(children)),
    ),
  );
