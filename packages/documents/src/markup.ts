import { escapeText } from '@muster/contracts';

const MARKUP = Symbol('markup');

/** Markup that only `element` makes; data cannot pretend to be it. */
export interface Markup {
  readonly [MARKUP]: string;
}

/** What an element holds: text, which is escaped, and other elements. */
export type Child = string | number | Markup | null | undefined | false | readonly Child[];
export type Attributes = Record<string, string | number | boolean | null | undefined>;

const VOID = new Set(['br', 'col', 'hr', 'meta']);

/**
 * The only way to markup, for HTML and SVG: names come from the code, text and attribute values are escaped.
 * @param attributes null, undefined and false are left out, true has no value
 */
export function element(name: string, attributes: Attributes, ...children: Child[]): Markup {
  const opened = `<${name}${Object.entries(attributes).map(attribute).join('')}>`;
  return { [MARKUP]: VOID.has(name) ? opened : `${opened}${render(children)}</${name}>` };
}

/** @returns a style sheet of our own writing as a style element */
export const styleElement = (css: string): Markup => ({ [MARKUP]: `<style>${css}</style>` });

/** @returns what the drawing library wrote, which escapes every text itself, as markup */
export const svgShapes = (shapes: string): Markup => ({ [MARKUP]: shapes });

/** @returns the markup of a child, its text escaped */
export function render(child: Child): string {
  if (child === null || child === undefined || child === false) return '';
  if (typeof child === 'string') return escapeText(child);
  if (typeof child === 'number') return String(child);
  return isMany(child) ? child.map(render).join('') : child[MARKUP];
}

const isMany = (child: Markup | readonly Child[]): child is readonly Child[] => Array.isArray(child);

function attribute([name, value]: [string, Attributes[string]]): string {
  if (value === null || value === undefined || value === false) return '';
  return value === true ? ` ${name}` : ` ${name}="${escapeText(String(value))}"`;
}
