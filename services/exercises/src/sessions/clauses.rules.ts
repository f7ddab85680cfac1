import {
  isDeterminer,
  isComplementizer,
  isFinite,
  isFunction,
  isFuture,
  isIntent,

  isPast,
  isSubject,
} from './grammar.rules.ts';
import type { Word } from './sentences.rules.ts';

/** What begins a clause: punctuation, a colon or dash, a conjunction, or a word that turns to something else. */
export type Opener = 'start' | 'mark' | 'label' | 'and' | 'or' | 'turn';

export interface Clause {
  from: number;
  /** Behind its last word. */
  to: number;
  opener: Opener;
}

const TURNS = new Set(
  ('but however although though whereas while then so therefore hence thus because since nevertheless afterwards after when ' +
    'once whenever meanwhile nor except if unless').split(' '),
);

/** The clauses of a sentence: cut at punctuation, coordinating conjunctions and words of contrast, cause and time. */
export function clausesOf(words: readonly Word[]): Clause[] {
  const clauses: Clause[] = [];
  for (const [at, word] of words.entries()) {
    const opener = openerAt(words, at, word);
    const current = clauses.at(-1);
    if (current && opener === null) current.to = at + 1;
    else clauses.push({ from: at, to: at + 1, opener: opener ?? 'start' });
  }
  return clauses;
}

function openerAt(words: readonly Word[], at: number, { text, mark }: Word): Opener | null {
  if (at === 0) return 'start';
  if (text === 'and') return 'and';
  if (text === 'or') return 'or';
  if (turns(words, at, text)) return 'turn';
  if (mark === '') return null;
  return mark === ',' ? 'mark' : 'label';
}

function turns(words: readonly Word[], at: number, text: string): boolean {
  const before = words[at - 1]?.text ?? '';
  const behind = words[at + 1]?.text ?? '';
  if (text === 'so') return !/^(do|does|did|doing|done|not)$/.test(before) && !/^(far|much|many)$/.test(behind);
  if (text === 'once') return before !== 'at';
  if (text === 'instead') return behind !== 'of';
  if (text === 'in') return behind === 'order' || behind === 'case';
  if (text === 'as') return behind === 'soon' || behind === 'long';
  if (text === 'provided') return behind === 'that';
  if (text === 'yet') return before !== 'not' && before !== 'nor' && behind !== 'to' && behind !== '';
  if (text === 'until') return pastFollows(words, at);
  return TURNS.has(text);
}

/** "Until it was isolated" tells what happened, "until it is isolated" does not. */
function pastFollows(words: readonly Word[], at: number): boolean {
  for (let next = at + 1; next < at + 8; next += 1) {
    const word = words[next];
    if (!word || word.mark !== '') return false;
    if (isPast(word)) return true;
  }
  return false;
}

/** Whether a clause has a subject pronoun or a finite verb of its own. */
export function standsAlone(words: readonly Word[], { from, to }: Clause): boolean {
  for (let at = from; at < to; at += 1) {
    const word = words[at];
    if (word && (isFinite(word) || startsSubject(words, at))) return true;
  }
  return false;
}

/** A subject pronoun that is not part of a "that …" clause. */
export function startsSubject(words: readonly Word[], at: number): boolean {
  const word = words[at];
  const before = words[at - 1];
  return word !== undefined && isSubject(word) && !(before && isComplementizer(before));
}

/** A past form that is a verb, not the attribute of a noun as in "the isolated hosts". */
export function isPastVerb(words: readonly Word[], at: number): boolean {
  const word = words[at];
  const before = words[at - 1];
  return word !== undefined && isPast(word) && !isFinite(word) && !(before && isDeterminer(before));
}

export function hasPastVerb(words: readonly Word[], { from, to }: Clause): boolean {
  for (let at = from; at < to; at += 1) if (isPastVerb(words, at)) return true;
  return false;
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
  for (const clause of clauses) {
    const first = words[clause.from + 1];
    past &&= clause.opener === 'and' && first !== undefined && isDeterminer(first);
    let future = false;
    for (let at = clause.from; at < clause.to; at += 1) {
      const word = words[at];
      if (!word) continue;
      if (isFuture(word) || (word.text === 'to' && words[at + 1]?.text === 'be')) future = true;
      if (future) past = false;
      else if (isPast(word)) past = !isIntent(word);
      settled[at] = past;
    }
  }
  return settled;
}

