import { textWidth } from '../charts/lettering.ts';
import { element, render } from '../markup.ts';
import type { Run } from '../model/document.ts';
import { TONES } from '../model/palette.ts';
import type { Node } from './node.ts';

const LONGEST = 24;

/** @returns a word on a coloured ground; inside a line pdfmake would colour the whole line's height */
export function chipNode(text: string, style: { text: string; ground: string; size: number }): Node {
  const width = textWidth(text, style.size) * 1.06 + style.size;
  const height = style.size * 1.6;
  const drawing = element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}` },
    element('rect', { width, height, rx: 2, fill: style.ground }),
    element(
      'text',
      {
        x: width / 2,
        y: height / 2 + style.size * 0.36,
        'text-anchor': 'middle',
        'font-family': 'Roboto',
        'font-size': style.size,
        'font-weight': 'bold',
        fill: style.text,
      },
      text,
    ),
  );
  return { svg: render(drawing), width };
}

/** @returns a chip for runs that are one short badge and nothing else */
export function loneBadge(runs: readonly Run[]): Node | undefined {
  const [run, ...more] = runs;
  if (run?.kind !== 'badge' || more.length > 0 || run.text.length > LONGEST) return undefined;
  return badgeNode(run.text, TONES[run.tone].solid);
}

export const badgeNode = (text: string, ground: string): Node =>
  chipNode(text, { text: '#ffffff', ground, size: 8 });
