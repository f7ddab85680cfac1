import { wordsOf } from '../events/word.rules.ts';

/** What two events may have in common: how to find those that have it, how much it says, and how to say it. */
export interface Trait {
  wanted: { technique: string } | { q: string };
  weight: number;
  words: string;
}

interface EventFacts {
  title: string;
  techniques: readonly string[];
  assets: readonly { name: string }[];
  users: readonly string[];
  indicators: readonly { value: string }[];
}

const MOST = { indicators: 8, assets: 4, users: 4, techniques: 6, words: 5 };
const WEIGHT = { indicator: 5, asset: 3, user: 3, technique: 2, word: 1 };
/** Words of nearly every alert say nothing. */
const COMMON = new Set(
  'alert event detected detection suspicious activity possible security from with user host'.split(' '),
);
const SHORTEST_WORD = 4;

/** What an event may have in common with others, the most telling first; a bounded number. */
export function traitsOf({ title, techniques, assets, users, indicators }: EventFacts): Trait[] {
  const words = [...new Set(wordsOf(title))]
    .filter((word) => word.length >= SHORTEST_WORD && !COMMON.has(word) && !/\d/.test(word))
    .toSorted((a, b) => b.length - a.length);
  return [
    ...indicators.slice(0, MOST.indicators).flatMap(({ value }) => named('indicator', value)),
    ...assets.slice(0, MOST.assets).flatMap(({ name }) => named('asset', name)),
    ...users.slice(0, MOST.users).flatMap((user) => named('user', user)),
    ...techniques.slice(0, MOST.techniques).map((id) => ({
      wanted: { technique: id },
      weight: WEIGHT.technique,
      words: `the technique ${id}`,
    })),
    ...words.slice(0, MOST.words).map((word) => ({
      wanted: { q: word },
      weight: WEIGHT.word,
      words: `the word “${word}”`,
    })),
  ];
}

/** Without a word to look for, a filter would find everything. */
function named(kind: 'indicator' | 'asset' | 'user', value: string): Trait[] {
  if (wordsOf(value).length === 0) return [];
  return [{ wanted: { q: value }, weight: WEIGHT[kind], words: `the ${kind} ${value}` }];
}
