import { TEXT } from './drawing.ts';

const NARROW = /[ilj.,;:'|!ftI ()[\]]/;
const CAPITAL = /[A-Zmw@%—]/;

/** @returns an estimate of a text's width in chart units; fonts differ, so leave some room */
export function textWidth(text: string, size = TEXT): number {
  let ems = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    ems += point > 0x2e7f ? 1 : NARROW.test(character) ? 0.32 : CAPITAL.test(character) ? 0.74 : 0.58;
  }
  return ems * size;
}

/**
 * @param width room for a line in chart units
 * @param most lines at most; what does not fit ends in `…` (the data beside the chart has it whole)
 */
export function wrap(text: string, width: number, most: number, size = TEXT): string[] {
  const capacity = Math.ceil((width * most) / (size * 0.2));
  const words = text.slice(0, capacity).toWellFormed().split(/\s+/).filter(Boolean);
  const lines: string[] = [];
  let current = '';
  for (const word of words.flatMap((each) => pieces(each, width, size))) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (current === '' || textWidth(longer, size) <= width) current = longer;
    else {
      lines.push(current);
      current = word;
    }
  }
  if (current !== '') lines.push(current);
  const cut = lines.length > most || text.length > capacity;
  return cut ? shortened(lines.slice(0, most), width, size) : lines;
}

/** A word wider than the line, in parts that fit. */
function pieces(word: string, width: number, size: number): string[] {
  if (textWidth(word, size) <= width) return [word];
  const parts: string[] = [];
  let part = '';
  for (const character of word) {
    if (part !== '' && textWidth(part + character, size) > width) {
      parts.push(part);
      part = '';
    }
    part += character;
  }
  return [...parts, part];
}

function shortened(lines: string[], width: number, size: number): string[] {
  const last = [...(lines.at(-1) ?? '')];
  while (last.length > 1 && textWidth(`${last.join('')}…`, size) > width) last.pop();
  return [...lines.slice(0, -1), `${last.join('').trimEnd()}…`];
}
