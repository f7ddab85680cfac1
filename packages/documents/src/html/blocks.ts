import { drawChart } from '../charts/chart.ts';
import { chartData } from '../charts/data.ts';
import { type Child, element, type Markup } from '../markup.ts';
import type {
  Block,
  Callout,
  ChartBlock,
  Definitions,
  Heading,
  KeyFigures,
  Quote,
  Step,
  Steps,
  Timeline,
} from '../model/document.ts';
import { CALLOUTS, STEP_STATES, WORDS } from '../model/wording.ts';
import { flow, inline } from './inline.ts';
import { region, table } from './table.ts';

const HEADINGS = { 1: 'h2', 2: 'h3', 3: 'h4' };

/** @param ids names of the headings that the table of contents links to */
export function htmlBlock(block: Block, ids: ReadonlyMap<Heading, string>): Child {
  switch (block.kind) {
    case 'heading':
      return element(HEADINGS[block.level], { id: ids.get(block), dir: 'auto' }, block.text);
    case 'paragraph':
    case 'list':
      return flow(block);
    case 'table':
      return table(block);
    case 'figures':
      return figures(block);
    case 'callout':
      return callout(block);
    case 'quote':
      return quote(block);
    case 'chart':
      return chart(block);
    case 'page-break':
      return element('div', { class: 'page-break' });
    case 'definitions':
      return definitions(block);
    case 'steps':
      return steps(block);
    case 'timeline':
      return timeline(block);
  }
}

const figures = ({ items }: KeyFigures): Markup =>
  element(
    'dl',
    { class: 'figures' },
    items.map(({ label, value, change }) =>
      element(
        'div',
        {},
        element('dt', {}, label),
        element('dd', { class: 'value' }, value),
        change && element('dd', { class: `change ${change.tone}` }, change.text),
      ),
    ),
  );

const callout = (block: Callout): Markup =>
  element(
    'aside',
    { class: `callout ${CALLOUTS[block.tone].tone}` },
    element('p', { class: 'callout-title' }, block.title ?? CALLOUTS[block.tone].says),
    block.content.map(flow),
  );

const quote = ({ runs, source }: Quote): Markup =>
  element(
    'figure',
    { class: 'quote' },
    element('blockquote', { dir: 'auto' }, inline(runs)),
    source && element('figcaption', {}, source),
  );

function chart({ chart: drawn, caption }: ChartBlock): Markup {
  const { columns, rows } = chartData(drawn);
  return element(
    'figure',
    { class: 'chart' },
    element('figcaption', { class: 'chart-title' }, drawn.title),
    region(drawn.title, drawChart(drawn)),
    caption && element('p', { class: 'caption' }, caption),
    element(
      'details',
      {},
      element('summary', {}, WORDS.data),
      element(
        'table',
        {},
        element(
          'thead',
          {},
          element(
            'tr',
            {},
            columns.map((title) => element('th', { scope: 'col' }, title)),
          ),
        ),
        element(
          'tbody',
          {},
          rows.map(([first, ...rest]) =>
            element(
              'tr',
              {},
              element('th', { scope: 'row' }, first),
              rest.map((cell) => element('td', {}, cell)),
            ),
          ),
        ),
      ),
    ),
  );
}

const definitions = ({ items }: Definitions): Markup =>
  element(
    'dl',
    { class: 'definitions' },
    items.map(({ term, runs }) =>
      element('div', {}, element('dt', {}, term), element('dd', { dir: 'auto' }, inline(runs))),
    ),
  );

const steps = ({ items }: Steps): Markup => element('ol', { class: 'steps' }, items.map(step));

const step = ({ title, state, content, notes }: Step): Markup =>
  element(
    'li',
    { class: STEP_STATES[state].tone },
    element(
      'p',
      { class: 'step-title', dir: 'auto' },
      inline(title),
      ' ',
      element('span', { class: `badge ${STEP_STATES[state].tone}` }, STEP_STATES[state].says),
    ),
    content?.map(flow),
    notes &&
      notes.length > 0 &&
      element(
        'dl',
        { class: 'notes' },
        notes.map(([label, value]) => element('div', {}, element('dt', {}, label), element('dd', {}, value))),
      ),
  );

const timeline = ({ items }: Timeline): Markup =>
  element(
    'ol',
    { class: 'timeline' },
    items.map(({ time, title, detail, tone }) =>
      element(
        'li',
        { class: tone ?? 'neutral' },
        element('span', { class: 'time' }, time),
        element(
          'div',
          {},
          element('p', { class: 'moment', dir: 'auto' }, inline(title)),
          detail && element('p', { dir: 'auto' }, inline(detail)),
        ),
      ),
    ),
  );
