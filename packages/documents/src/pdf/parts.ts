import type { Run } from '../model/document.ts';

/** A line break takes the rest of a line, a letter one place of it. */
const BREAK = 60;

/**
 * Cuts a long text at the ends of lines, sentences or words.
 * @param most letters of a part, each line break counting as sixty
 * @returns parts in order, at least one; blank lines where it was cut are left out
 */
export function parts(runs: readonly Run[], most: number): Run[][] {
  const found: Run[][] = [[]];
  let cost = 0;
  for (const piece of runs.flatMap((run) => pieces(run, most))) {
    const more = costOf(piece.text);
    if (cost > 0 && cost + more > most) {
      found.push([]);
      cost = 0;
    }
    found.at(-1)?.push(piece);
    cost += more;
  }
  return found;
}

function pieces(run: Run, most: number): Run[] {
  const found: Run[] = [];
  let start = 0;
  while (start < run.text.length) {
    const end = start + nextCut(run.text.slice(start, start + most), most, start + most >= run.text.length);
    const text = end < run.text.length ? run.text.slice(start, end).trimEnd() : run.text.slice(start);
    if (text !== '') found.push({ ...run, text });
    start = end;
  }
  return found;
}

/** @returns where the first part of the text ends: its whole length when it is the last and cheap enough */
function nextCut(text: string, most: number, last: boolean): number {
  const room = affordable(text, most);
  if (last && room === text.length) return room;
  const head = text.slice(0, room);
  const ends = [head.lastIndexOf('\n'), head.lastIndexOf('. '), head.lastIndexOf(' ')];
  return (ends.find((end) => end >= room / 2) ?? room - 1) + 1;
}

function affordable(text: string, most: number): number {
  let cost = 0;
  for (let index = 0; index < text.length; index += 1) {
    cost += text[index] === '\n' ? BREAK : 1;
    if (cost > most) return Math.max(1, index);
  }
  return text.length;
}

const costOf = (text: string): number => text.length + (text.split('\n').length - 1) * (BREAK - 1);
