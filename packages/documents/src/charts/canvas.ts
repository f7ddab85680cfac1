import { type Child, element, type Markup } from '../markup.ts';
import { INK } from '../model/palette.ts';

/** Units of every chart's width; on paper and screen it is scaled to the column. */
export const WIDTH = 640;
export const TEXT = 12;
export const LINE = 15;
const FONT = 'Roboto, system-ui, -apple-system, "Segoe UI", sans-serif';

/** A drawing before it is framed: how high it is and what is in it. */
export interface Drawing {
  height: number;
  content: Child;
}

/** @returns the drawing as one svg element that a screen reader meets as an image with a name and a description */
export function svg(drawing: Drawing, title: string, description: string): Markup {
  const height = round(drawing.height);
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width: WIDTH,
      height,
      viewBox: `0 0 ${WIDTH} ${height}`,
      role: 'img',
      'font-family': FONT,
      'font-size': TEXT,
    },
    element('title', {}, title),
    element('desc', {}, description),
    drawing.content,
  );
}

/** @param anchor which end of the text stands at x */
export function label(
  x: number,
  y: number,
  text: string,
  style: {
    anchor?: 'start' | 'middle' | 'end';
    size?: number;
    bold?: boolean;
    fill?: string;
    class?: string;
  } = {},
): Markup {
  return element(
    'text',
    {
      x: round(x),
      y: round(y),
      'text-anchor': style.anchor ?? 'start',
      'font-size': style.size,
      'font-weight': style.bold ? 'bold' : undefined,
      fill: style.fill ?? INK,
      class: style.class ?? (style.fill === undefined ? 'ink' : undefined),
    },
    text,
  );
}

export function line(
  from: [number, number],
  to: [number, number],
  stroke: string,
  style: { width?: number; dash?: string; class?: string } = {},
): Markup {
  return element('line', {
    x1: round(from[0]),
    y1: round(from[1]),
    x2: round(to[0]),
    y2: round(to[1]),
    stroke,
    'stroke-width': style.width ?? 1,
    'stroke-dasharray': style.dash,
    class: style.class,
  });
}

export function box(
  x: number,
  y: number,
  size: [width: number, height: number],
  fill: string,
  style: { radius?: number; class?: string } = {},
): Markup {
  const [width, height] = [round(Math.max(0, size[0])), round(Math.max(0, size[1]))];
  const radius = Math.min(style.radius ?? 0, width / 2, height / 2);
  return element('rect', {
    x: round(x),
    y: round(y),
    width,
    height,
    rx: radius === 0 ? undefined : round(radius),
    fill,
    class: style.class,
  });
}

export const round = (value: number): number => Math.round(value * 100) / 100;

/** @returns value kept within the ends; what is no number becomes the lower end */
export const clamp = (value: number, low: number, high: number): number =>
  Number.isFinite(value) ? Math.min(high, Math.max(low, value)) : low;

/** @returns a map from the domain to the range, clamped to it */
export function scale(
  [low, high]: [number, number],
  [start, end]: [number, number],
): (value: number) => number {
  const span = high > low ? high - low : 1;
  return (value) => start + ((clamp(value, low, low + span) - low) / span) * (end - start);
}

/** @returns at most about six round numbers from low to high */
export function ticks(low: number, high: number): number[] {
  const rough = Math.max(high - low, 1e-9) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough * 0.999) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => round((first + index) * step));
}
