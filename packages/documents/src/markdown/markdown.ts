import { chartData } from '../charts/data.ts';
import type { Block, DocumentModel, Flow, List, Run, Step, Table } from '../model/document.ts';
import { safeDocument, safeHref } from '../model/safe.ts';
import { CALLOUTS, STEP_STATES } from '../model/wording.ts';
import { codeSpan, escapeLine, escapeStart, linkTarget } from './escape.ts';

/** @returns the document as GitHub-flavoured Markdown; charts become tables of their numbers, texts stay plain text */
export function toMarkdown(document: DocumentModel): string {
  const safe = safeDocument(document);
  const parts = [
    `# ${oneLine(safe.title)}`,
    safe.classification && `**${oneLine(safe.classification)}**`,
    safe.subtitle && oneLine(safe.subtitle),
    safe.meta.length > 0 && labelLines(safe.meta).join('\n'),
    ...safe.blocks.map(markdownBlock),
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

function markdownBlock(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level + 1)} ${oneLine(block.text)}`;
    case 'paragraph':
    case 'list':
      return flow(block);
    case 'table':
      return table(block);
    case 'figures':
      return labelLines(
        block.items.map(({ label, value, change }) => [label, change ? `${value} (${change.text})` : value]),
      ).join('\n');
    case 'callout':
      return blockquote(
        [`**${oneLine(block.title ?? CALLOUTS[block.tone].says)}**`, ...block.content.map(flow)].join('\n\n'),
      );
    case 'quote':
      return blockquote(
        [text(block.runs), block.source && `— ${oneLine(block.source)}`].filter(Boolean).join('\n\n'),
      );
    case 'chart': {
      const { columns, rows } = chartData(block.chart);
      const numbers = grid(
        columns.map(oneLine),
        rows.map((row) => row.map(oneLine)),
      );
      return [`**${oneLine(block.chart.title)}**`, numbers, block.caption && oneLine(block.caption)]
        .filter(Boolean)
        .join('\n\n');
    }
    case 'page-break':
      return '---';
    case 'definitions':
      return block.items.map(({ term, runs }) => `- **${oneLine(term)}**: ${flat(runs)}`).join('\n');
    case 'steps':
      return block.items.map(step).join('\n');
    case 'timeline':
      return block.items
        .map(({ time, title, detail }) =>
          [`- **${oneLine(time)}** ${flat(title)}`, detail && indent(text(detail))]
            .filter(Boolean)
            .join('\n'),
        )
        .join('\n');
  }
}

const flow = (block: Flow): string => (block.kind === 'list' ? list(block) : text(block.runs));

const list = ({ ordered, items }: List): string =>
  items
    .map(({ runs, children }, index) =>
      [`${ordered ? `${index + 1}.` : '-'} ${text(runs, '   ')}`, children && indent(list(children))]
        .filter(Boolean)
        .join('\n'),
    )
    .join('\n');

function step({ title, state, content, notes }: Step, index: number): string {
  const box = state === 'done' ? '[x]' : '[ ]';
  const facts = labelLines(notes ?? []).join('\n');
  const more = [...(content ?? []).map(flow), facts].filter(Boolean).map(indent);
  return [`${index + 1}. ${box} ${flat(title)} — **${STEP_STATES[state].says}**`, ...more].join('\n\n');
}

function table(block: Table): string {
  const rules = { left: ':---', right: '---:', center: ':---:' };
  const body = grid(
    block.columns.map(({ title }) => oneLine(title)),
    block.rows.map((row) => row.map(cell)),
    block.columns.map(({ align }) => rules[align ?? 'left']),
  );
  return block.caption ? `**${oneLine(block.caption)}**\n\n${body}` : body;
}

function grid(columns: string[], rows: string[][], rules = columns.map(() => '---')): string {
  const row = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [row(columns), row(rules), ...rows.map(row)].join('\n');
}

const labelLines = (pairs: readonly [string, string][]): string[] =>
  pairs.map(([label, value]) => `- **${oneLine(label)}**: ${oneLine(value)}`);

/** @returns runs over several lines, each ended by a hard break and followed by `margin` */
const text = (runs: readonly Run[], margin = ''): string =>
  joinRuns(runs, inline)
    .split('\n')
    .map(escapeStart)
    .filter((line) => line.trim() !== '')
    .join(`\\\n${margin}`);

const flat = (runs: readonly Run[]): string => oneSpace(joinRuns(runs, inline));

/** A table ends its cells at every bar that is not escaped, in code too. */
const cell = (runs: readonly Run[]): string =>
  oneSpace(joinRuns(runs, (run) => (isCode(run) ? inline(run).replaceAll('|', '\\|') : inline(run))));

/** Marks of two runs that touch would be read as one, so that a space comes between them. */
const joinRuns = (runs: readonly Run[], write: (run: Run) => string): string =>
  runs
    .map((run, index) => (isMarked(run) && isMarked(runs[index - 1]) ? ` ${write(run)}` : write(run)))
    .join('');

const isMarked = (run: Run | undefined): boolean => run?.kind === 'badge' || run?.style !== undefined;
const isCode = (run: Run): boolean => run.kind === 'text' && run.style === 'code';
const oneSpace = (text: string): string => text.replace(/\s+/g, ' ').trim();
const oneLine = (plain: string): string => escapeLine(oneSpace(plain));

function inline(run: Run): string {
  if (run.kind === 'badge') return `**${oneLine(run.text)}**`;
  const href = safeHref(run.href);
  const marked = run.text.split('\n').map((line) => marking(line, run.style));
  return href ? `[${marked.join(' ')}](${linkTarget(href)})` : marked.join('\n');
}

/** Emphasis does not hold where a space stands inside its marks, so that spaces move out. */
function marking(line: string, style: 'strong' | 'emphasis' | 'code' | undefined): string {
  const body = line.trim();
  if (style === undefined || body === '') return escapeLine(line);
  const mark = style === 'strong' ? '**' : '*';
  const marked = style === 'code' ? codeSpan(body) : `${mark}${escapeLine(body)}${mark}`;
  return line.replace(body, () => marked);
}

const indent = (block: string): string => block.replace(/^(?=.)/gm, '   ');
const blockquote = (block: string): string => block.replace(/^/gm, '> ').replace(/(?<! ) +$/gm, '');
