import { type Clause, contentFrom, hasPastVerb, isPastVerb, standsAlone, startsSubject } from './clauses.rules.ts';
import type { CueRow } from './cues.rules.ts';
import { isFinite, isNominal, isPast, isPreposition, isRelative, isSubject } from './grammar.rules.ts';
import type { Word } from './sentences.rules.ts';
import { type Cue, clauseIndex, FURTHEST, helped, helpersFrom, isParticiple, range, type Structure } from './structure.rules.ts';

/** The clause in which an interrupted cue goes on ("did not, however, isolate"); null if it is not interrupted. */
export function resumption(s: Structure, cue: Cue): number | null {
  const here = clauseIndex(s, cue);
  const clause = s.clauses[here];
  if (!clause || contentFrom(s.words, cue.end, clause.to) !== null) return null;
  let next = here + 1;
  while (next < here + 3 && isInterruption(s, next)) next += 1;
  const resumed = s.clauses[next];
  const first = s.words[resumed?.from ?? s.words.length];
  if (!resumed || !first || (resumed.opener !== 'mark' && resumed.opener !== 'label')) return null;
  return goesOn(s, cue, resumed, first) ? next : null;
}

function goesOn(s: Structure, cue: Cue, resumed: Clause, first: Word): boolean {
  const { turn, ahead, behind, until } = cue.meaning;
  if (standsAlone(s.words, resumed)) return false;
  if (turn === 'negates') {
    if (behind !== 'subject') return false;
    return resumed.opener === 'label' || (helped(s, cue) && (!isPast(first) || isParticiple(s, cue)));
  }
  if (ahead !== 'nouns') return false;
  return resumed.opener === 'label' || /^(to|from|on)$/.test(first.text) || (until === 'past' && isNominal(first));
}

function isInterruption(s: Structure, index: number): boolean {
  const clause = s.clauses[index];
  const first = clause && s.words[clause.from];
  if (!clause || !first || s.clauses[index + 1]?.opener !== 'mark') return false;
  const opens = (isPreposition(first) && first.text !== 'to') || /^(however|though|as|because|since)$/.test(first.text);
  return opens || contentFrom(s.words, clause.from, clause.to) === null;
}

/** The words that a cue governs after itself, as indexes into the sentence. */
export function wordsAhead(s: Structure, cue: Cue): number[] {
  const { ahead } = cue.meaning;
  const here = clauseIndex(s, cue);
  const clause = s.clauses[here];
  if (!clause || ahead === 'none') return [];
  if (ahead === 'next') return cue.end < clause.to ? [cue.end] : [];
  const reached: number[] = [];
  const until = untilOf(s, cue);
  const take = (from: number, to: number): boolean => {
    for (let at = from; at < to; at += 1) {
      if (at - cue.end > FURTHEST || stops(s, cue, at, until)) return false;
      reached.push(at);
    }
    return true;
  };
  let open = take(cue.end, clause.to);
  let next = here + 1;
  const resumed = open ? resumption(s, cue) : null;
  if (resumed !== null) {
    const again = s.clauses[resumed];
    open = again !== undefined && take(again.from, again.to);
    next = resumed + 1;
  }
  for (; open && next < s.clauses.length && carriesOn(s, cue, reached, next); next += 1) {
    const further = s.clauses[next];
    open = further !== undefined && take(further.from, further.to);
  }
  return reached;
}

function stops(s: Structure, cue: Cue, at: number, until: CueRow['until']): boolean {
  const word = s.words[at];
  if (!word) return true;
  // "Avoided harm by isolating": what follows is how, and was done.
  if (cue.meaning.turn === 'reverses' && /^(by|through|via)$/.test(word.text)) return true;
  if (until === 'clause') return false;
  if (startsSubject(s.words, at)) return true;
  if (until === 'subject') return false;
  if (isFinite(word)) return true;
  return until === 'past' && isPastVerb(s.words, at);
}

/** Where "not" or "no" stops depends on what stands before it. */
function untilOf(s: Structure, cue: Cue): CueRow['until'] {
  const { turn, behind, until } = cue.meaning;
  const clause = s.clauses[clauseIndex(s, cue)];
  if (turn !== 'negates' || behind === 'clause' || !clause) return until;
  const helpers = helpersFrom(s, cue.at);
  const left = helpers > clause.from ? s.words[helpers - 1] : undefined;
  if (behind === 'object') return left && isPreposition(left) && until === 'finite' ? 'past' : left ? until : 'subject';
  if (left && isRelative(left)) return 'finite';
  if (helped(s, cue) || (left && isSubject(left))) return 'clause';
  return contentFrom(s.words, clause.from, cue.at) === null ? 'subject' : 'finite';
}

/** Whether a cue also governs the clause that follows those it has reached. */
function carriesOn(s: Structure, cue: Cue, reached: readonly number[], index: number): boolean {
  const clause = s.clauses[index];
  if (!clause || standsAlone(s.words, clause)) return false;
  const inList = clause.opener === 'mark' && listEndsInOr(s, index);
  if (clause.opener !== 'and' && clause.opener !== 'or' && !inList) return false;
  if (hasPastVerb(s.words, clause) && !reached.some((at) => isPastVerb(s.words, at))) return false;
  if (clause.opener !== 'and') return true;
  if (isVerbal(s, cue)) return s.words[clause.from]?.mark === '';
  const first = contentFrom(s.words, clause.from, clause.to);
  return first !== null && isNominal(first);
}

/** "Did not isolate, inform or call" is one list; "will not pay, isolate and inform" is not. */
function listEndsInOr(s: Structure, index: number): boolean {
  for (let next = index; next < index + 8; next += 1) {
    const clause = s.clauses[next];
    if (!clause || standsAlone(s.words, clause)) return false;
    if (clause.opener === 'or') return true;
    if (clause.opener !== 'mark') return false;
  }
  return false;
}

const isVerbal = (s: Structure, { meaning, end }: Cue) =>
  meaning.ahead === 'verbs' || s.words[end - 1]?.text === 'to' || s.words[end]?.text === 'to';
