import type { EventIndicator } from '@muster/contracts';

const MOST_WORDS = 64;
const LONGEST_WORD = 100;
/** What parts words in a text; dots, dashes and the like may stand inside of one. */
const GAP = /[^\p{L}\p{N}._@:/\\#+-]+/u;
const EDGE = /^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu;
/** What every second title has and nobody looks for. */
const EMPTY = new Set('a an and at by for from in is of on or the to was were with'.split(' '));

/** The words of a text in lower case, in their order: `WS-042` is one. */
export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(GAP)
    .map((word) => word.replace(EDGE, '').slice(0, LONGEST_WORD))
    .filter((word) => word.length > 1 && !EMPTY.has(word));
}

/** A name is also known without its domain: `corp\a.meier`, `a.meier@example.org` and `ws-042.example.org`. */
function namesOf(name: string): string[] {
  const word = name.toLowerCase().trim().slice(0, LONGEST_WORD);
  const [account = ''] = word.split('\\').at(-1)?.split('@') ?? [];
  const isHost = /^(?=[0-9-]*[a-z])[a-z0-9-]+\./.test(word);
  return [...wordsOf(name), account, ...(isHost ? [word.split('.')[0] ?? ''] : [])];
}

/** The words that an event is found by: no more than 64, the most telling first. */
export function searchWords(event: {
  title: string;
  source: string;
  assets: readonly { name: string }[];
  users: readonly string[];
  indicators: readonly EventIndicator[];
}): string[] {
  const words = [
    ...event.assets.slice(0, 8).flatMap(({ name }) => namesOf(name)),
    ...event.users.slice(0, 8).flatMap(namesOf),
    ...event.indicators.slice(0, 16).flatMap(({ value }) => wordsOf(value)),
    ...wordsOf(event.title),
    ...wordsOf(event.source),
  ];
  return [...new Set(words.filter((word) => word.length > 1))].slice(0, MOST_WORDS);
}
