import { refang } from '../extraction/defang.rules.ts';
import type { ItemDoc } from './item.model.ts';

const MAX_WORDS = 600;
const MAX_INDICATORS = 300;
const PREFIX = { shortest: 3, longest: 14 };
const MAX_ASKED = 8;

type SearchedItem = Pick<
  ItemDoc,
  | 'title'
  | 'summary'
  | 'publisher'
  | 'actors'
  | 'malware'
  | 'tools'
  | 'sectors'
  | 'tags'
  | 'cves'
  | 'techniques'
  | 'indicators'
>;

/** The words that an item is found by: of its title and names also their beginnings, so that typing finds them. */
export function searchWords(item: SearchedItem): string[] {
  const { title, publisher, actors, malware, tools, tags, sectors } = item;
  const named = [title, publisher ?? '', ...actors, ...malware, ...tools, ...tags, ...sectors].flatMap(
    wordsOf,
  );
  const techniques = item.techniques.flatMap(({ id, name }) => [id.toLowerCase(), ...wordsOf(name)]);
  const indicators = item.indicators.slice(0, MAX_INDICATORS).map(({ value }) => fold(value));
  const words = [
    ...named,
    ...named.flatMap(beginnings),
    ...techniques,
    ...indicators,
    ...item.cves.map(fold),
    ...wordsOf(item.summary),
  ];
  return [...new Set(words)].slice(0, MAX_WORDS);
}

/** The words of a question; each must stand in an item that answers it. */
export function askedWords(question: string): string[] {
  const pieces = question
    .split(/\s+/)
    .map((piece) => fold(refang(piece)).replace(/^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, ''));
  return [...new Set(pieces.filter(Boolean))].slice(0, MAX_ASKED);
}

/** Each word as it stands, and the parts of one like `cobalt-strike`. */
function wordsOf(text: string): string[] {
  return text.split(/\s+/).flatMap((piece) => {
    const whole = fold(piece).replace(/^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, '');
    const parts = whole.split(/[^\p{L}\p{N}]+/u);
    return whole === '' ? [] : parts.length > 1 ? [whole, ...parts.filter(Boolean)] : [whole];
  });
}

function beginnings(word: string): string[] {
  const lengths = Math.max(0, Math.min(word.length - 1, PREFIX.longest) - PREFIX.shortest + 1);
  return Array.from({ length: lengths }, (_, index) => word.slice(0, PREFIX.shortest + index));
}

const fold = (text: string) => text.normalize('NFKC').toLowerCase().slice(0, 300);
