import type { DocumentModel } from '../model/document.ts';
import { mapTexts } from '../model/safe.ts';
import { coveredCharacters } from './fonts.ts';

/** Shown where the font has nothing to show. */
const UNKNOWN = '\ufffd';
const INVISIBLE = /^\p{Default_Ignorable_Code_Point}+$/u;

/** A text of more lines than this would fill pages with next to nothing: its line ends are printed as signs. */
const MOST_LINES = 500;

/** Signs that the font lacks and that other signs say as well. */
const SAME: Record<string, string> = {
  '→': '->',
  '←': '<-',
  '↔': '<->',
  '⇒': '=>',
  '⇐': '<=',
  '✓': '√',
  '✔': '√',
  '✗': '×',
  '✘': '×',
  '\t': '    ',
};

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * @returns the document with only characters that the fonts can show, and how many had to be replaced by U+FFFD; a sign
 * of several code points, such as a family emoji, counts as one
 */
export function printable(document: DocumentModel): { document: DocumentModel; replaced: number } {
  const covered = coveredCharacters();
  const shown = (text: string) =>
    [...text].every((character) => character === '\n' || covered.has(character.codePointAt(0) ?? 0));
  let replaced = 0;

  const print = (sign: string): string => {
    if (shown(sign)) return sign;
    if (INVISIBLE.test(sign)) return '';
    const visible = sign.replace(/\p{Default_Ignorable_Code_Point}/gu, '');
    const forms = [SAME[visible], visible, visible.normalize('NFC'), visible.normalize('NFKC')];
    const form = forms.find((each) => each !== undefined && shown(each));
    if (form === undefined) replaced += 1;
    return form ?? UNKNOWN;
  };
  const printed = mapTexts(document, (given) => {
    const text = flatten(given);
    return shown(text) ? text : Array.from(graphemes.segment(text), ({ segment }) => print(segment)).join('');
  });
  return { document: printed, replaced };
}

const flatten = (text: string): string =>
  text.split('\n').length > MOST_LINES ? text.replace(/\n+/g, ' ¶ ') : text;
