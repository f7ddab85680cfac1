import {
  isAuxiliary,
  isComplementizer,
  isDeterminer,
  isFunction,
  isFuture,
  isIntent,
  isPast,
  isSubject,
} from './grammar.rules.ts';
import type { Word } from './words.rules.ts';

export interface Clause {
  index: number;
  from: number;
  /** Behind its last word. */
  to: number;
  /** What begins it: punctuation, a colon or dash, a conjunction, or a word that turns to something else. */
  opener: 'start' | 'mark' | 'label' | 'and' | 'or' | 'turn';
  /** Whether it has a subject pronoun or a finite verb of its own. */
  standsAlone: boolean;
  hasPastVerb: boolean;
  /** Whether any of its words names something. */
  says: boolean;
}

const TURNS = new Set(
  (
    'but however although though whereas while then therefore hence thus because since nevertheless afterwards after ' +
    'when whenever meanwhile nor except if unless'
  ).split(' '),
);
/** Words that turn only in some company. */
const TURNS_IN_CONTEXT: Readonly<Record<string, (before: string, behind: string) => boolean>> = {
  so: (before, behind) => !/^(do|does|did|doing|done|not)$/.test(before) && !/^(far|much|many)$/.test(behind),
  once: (before, behind) => before !== 'at' && !/^(per|more|again|every)$/.test(behind),
  instead: (_, behind) => behind !== 'of',
  in: (_, behind) => behind === 'order' || behind === 'case',
  as: (_, behind) => behind === 'soon' || behind === 'long',
  provided: (_, behind) => behind === 'that',
  yet: (before, behind) => !/^(not|nor)$/.test(before) && behind !== 'to' && behind !== '',
};
const NEAR = 8;

/** The clauses of a sentence: cut at punctuation, coordinating conjunctions and words of contrast, cause and time. */
export function clausesOf(words: readonly Word[]): Clause[] {
  const openers = words.map((word, at) => openerAt(words, at, word));
  const starts = [...openers.keys()].filter((at) => openers[at] !== null);
  return starts.map((from, index) => {
    const to = starts[index + 1] ?? words.length;
    const indexes = rangeOf(from, to);
    return {
      index,
      from,
      to,
      opener: openers[from] ?? 'start',
      standsAlone: indexes.some((at) => isAuxiliaryAt(words, at) || startsSubject(words, at)),
      hasPastVerb: indexes.some((at) => isPastVerb(words, at)),
      says: contentFrom(words, from, to) !== null,
    };
  });
}

/** The indexes from `from` up to, but not including, `to`. */
export function rangeOf(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
}

/** A subject pronoun that is not part of a "that …" clause. */
export function startsSubject(words: readonly Word[], at: number): boolean {
  const word = words[at];
  const before = words[at - 1];
  return word !== undefined && isSubject(word) && !(before && isComplementizer(before));
}

/** A past form that is a verb of its own, not the attribute of a noun as in "the isolated hosts". */
export function isPastVerb(words: readonly Word[], at: number): boolean {
  const word = words[at];
  const before = words[at - 1];
  return word !== undefined && isPast(word) && !isAuxiliary(word) && !(before && isDeterminer(before));
}

/** The first word from `at` on that names something; null if there is none before `to`. */
export function contentFrom(words: readonly Word[], at: number, to: number): Word | null {
  for (let next = at; next < to; next += 1) {
    const word = words[next];
    if (word && !isFunction(word)) return word;
  }
  return null;
}

/**
 * Which words are about something that has happened: a past form, and what follows it in its clause, unless it is a
 * mere intention ("decided to …") or lies in the future ("will be isolated").
 */
export function settledWords(words: readonly Word[], clauses: readonly Clause[]): boolean[] {
  const settled: boolean[] = [];
  let past = false;
  for (const { from, to, opener } of clauses) {
    const second = words[from + 1];
    past &&= opener === 'and' && second !== undefined && isDeterminer(second);
    let future = false;
    for (const at of rangeOf(from, to)) {
      const word = words[at];
      if (!word) continue;
      future ||= isFuture(word) || (word.text === 'to' && words[at + 1]?.text === 'be');
      if (future) past = false;
      else if (isPast(word) || isIntent(word)) past = !isIntent(word);
      settled.push(past);
    }
  }
  return settled;
}

function openerAt(words: readonly Word[], at: number, { text, mark }: Word): Clause['opener'] | null {
  if (at === 0) return 'start';
  if (text === 'and' || text === 'or') return text;
  const inContext = TURNS_IN_CONTEXT[text];
  if (TURNS.has(text) || inContext?.(words[at - 1]?.text ?? '', words[at + 1]?.text ?? '')) return 'turn';
  if ((text === 'until' || text === 'before') && tellsPast(words, at, unbrokenFrom(words, at))) return 'turn';
  if (mark === '') return null;
  return mark === ',' ? 'mark' : 'label';
}

/** Whether words tell of what happened: "was isolated" does, "is isolated" and "has been isolated" do not. */
export function tellsPast(words: readonly Word[], from: number, to: number): boolean {
  return rangeOf(from, Math.min(to, words.length)).some((at) => {
    if (/^(was|were|had|did)$/.test(words[at]?.text ?? '')) return true;
    return (
      isPastVerb(words, at) && !/^(is|are|am|be|been|get|gets|has|have)$/.test(words[at - 1]?.text ?? '')
    );
  });
}

/** How far the part of a sentence that begins at `from` goes without a punctuation mark, within a few words. */
function unbrokenFrom(words: readonly Word[], from: number): number {
  const rest = words.slice(from + 1, from + NEAR);
  const broken = rest.findIndex((word) => word.mark !== '');
  return from + 1 + (broken === -1 ? rest.length : broken);
}

function isAuxiliaryAt(words: readonly Word[], at: number): boolean {
  const word = words[at];
  return word !== undefined && isAuxiliary(word);
}
