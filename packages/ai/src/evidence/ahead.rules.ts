import { type Clause, contentFrom, isPastVerb, rangeOf, startsSubject } from './clauses.rules.ts';
import type { CueRow } from './cues.data.ts';
import {
  isAuxiliary,
  isBe,
  isNominal,
  isPast,
  isPreposition,
  isRelative,
  isStatus,
  isSubject,
  isUnchangedPast,
} from './grammar.rules.ts';
import {
  type Cue,
  clauseAt,
  FURTHEST,
  helpersFrom,
  is,
  isHelped,
  isParticiple,
  type Structure,
} from './structure.rules.ts';

const LONGEST_LIST = 8;
const MOST_INTERRUPTIONS = 2;
const SUBORDINATORS = /^(since|because|as|although|though|while|whereas|when|once|if)$/;

/** The words that a cue governs after itself, as indexes into the sentence. */
export function wordsAhead(s: Structure, cue: Cue): number[] {
  const { ahead, modal } = cue.meaning;
  const clause = clauseAt(s, cue.end - 1);
  if (!clause || ahead === 'none') return [];
  if (ahead === 'next') return cue.end < clause.to ? [cue.end] : [];
  const until = untilOf(s, cue, clause);
  const reached = insideGap(s, cue);
  const reach = (from: number, to: number): boolean => {
    for (let at = from; at < to; at += 1) {
      if (at - cue.end > FURTHEST || ends(s, cue, at, until)) return false;
      reached.push(at);
    }
    return true;
  };
  let last: Clause | undefined = clause;
  let open = reach(cue.end, clause.to);
  const resumed = open ? resumption(s, cue) : null;
  if (resumed) {
    open = reach(resumed.from, resumed.to);
    last = resumed;
  }
  while (open && last) {
    last = s.clauses[last.index + 1];
    open = last !== undefined && carriesOn(s, cue, reached, last) && reach(last.from, last.to);
  }
  return modal ? reached.filter((at) => isUndoneByModal(s, cue, at)) : reached;
}

/** The clause in which an interrupted cue goes on ("did not, however, isolate"); null if it is not interrupted. */
export function resumption(s: Structure, cue: Cue): Clause | null {
  const clause = clauseAt(s, cue.end - 1);
  if (!clause || clause.to - cue.end > FURTHEST) return null;
  const rest = contentFrom(s.words, cue.end, clause.to);
  if (rest && !isStatus(rest)) return null;
  let next = clause.index + 1;
  while (next <= clause.index + MOST_INTERRUPTIONS && isInterruption(s, next)) next += 1;
  const resumed = s.clauses[next];
  if (!resumed || resumed.standsAlone) return null;
  // "Not done: isolation".
  if (resumed.opener === 'label') return resumed;
  return resumed.opener === 'mark' && !rest && goesOn(s, cue, resumed) ? resumed : null;
}

function goesOn(s: Structure, cue: Cue, { from }: Clause): boolean {
  const { turn, ahead, behind, until } = cue.meaning;
  if (turn === 'negates')
    return behind === 'subject' && isHelped(s, cue) && (!is(s, from, isPast) || isParticiple(s, cue));
  if (ahead !== 'nouns') return false;
  return (
    is(s, from, ({ text }) => /^(to|from|on)$/.test(text)) || (until === 'past' && is(s, from, isNominal))
  );
}

function isInterruption(s: Structure, index: number): boolean {
  const clause = s.clauses[index];
  if (!clause || s.clauses[index + 1]?.opener !== 'mark') return false;
  const inserts = is(s, clause.from, (word) => {
    if (isPreposition(word)) return word.text !== 'to';
    return /^(however|though|as|because|since)$/.test(word.text);
  });
  return inserts || !clause.says;
}

function ends(s: Structure, cue: Cue, at: number, until: CueRow['until']): boolean {
  // "Avoided harm by isolating": what follows tells how, and was done.
  if (cue.meaning.turn === 'reverses' && is(s, at, ({ text }) => /^(by|through|via)$/.test(text)))
    return true;
  if (until === 'clause') return false;
  if (startsSubject(s.words, at)) return true;
  if (until === 'subject') return false;
  const isNewVerb = is(s, at, isAuxiliary) && contentFrom(s.words, cue.end, at) !== null;
  return isNewVerb || (until === 'past' && isPastVerb(s.words, at));
}

/** What ends the reach of "not", "no" and "could" depends on what stands before them. */
function untilOf(s: Structure, cue: Cue, clause: Clause): CueRow['until'] {
  const { turn, behind, until, modal } = cue.meaning;
  const left = helpersFrom(s, cue.at) - 1;
  // "Hosts that were not patched were isolated", "keys which could be known were changed".
  if ((modal || behind === 'subject') && left >= clause.from && is(s, left, isRelative)) return 'auxiliary';
  if (turn !== 'negates' || behind === 'none' || behind === 'clause') return until;
  const initial =
    left < clause.from || contentFrom(s.words, Math.max(clause.from, cue.at - FURTHEST), cue.at) === null;
  if (behind === 'object') {
    // "With no backup left the team isolated the hosts".
    if (until === 'auxiliary' && left >= clause.from && is(s, left, isPreposition)) return 'past';
    return initial ? 'subject' : until;
  }
  // "Since we cannot undo it we call the bank".
  if (is(s, clause.from, ({ text }) => SUBORDINATORS.test(text))) return 'subject';
  if (isHelped(s, cue) || is(s, left, isSubject)) return 'clause';
  return initial ? 'subject' : 'auxiliary';
}

/** Whether a cue also governs the clause behind those it has reached. */
function carriesOn(s: Structure, cue: Cue, reached: readonly number[], clause: Clause): boolean {
  const { opener, standsAlone, hasPastVerb, from, to } = clause;
  const sharesPast = !cue.meaning.asks && reached.some((at) => isPastVerb(s.words, at));
  // "Did not pay and reset all passwords".
  const tellsPast = hasPastVerb || (opener === 'and' && is(s, from + 1, isUnchangedPast));
  if (standsAlone || (tellsPast && !sharesPast)) return false;
  if (opener === 'or') return true;
  if (opener === 'mark') return isListEndingInOr(s, clause);
  if (opener !== 'and') return false;
  if (isVerbal(s, cue)) return s.words[from]?.mark === '';
  const first = contentFrom(s.words, from, to);
  return first !== null && isNominal(first);
}

/** "Did not isolate, inform or call" is one list; "will not pay, isolate and inform" is not. */
function isListEndingInOr(s: Structure, { index }: Clause): boolean {
  const rest = s.clauses.slice(index, index + LONGEST_LIST);
  const end = rest.find(({ opener, standsAlone }) => opener !== 'mark' || standsAlone);
  return end?.opener === 'or' && !end.standsAlone;
}

/** In "ruled isolation out" the cue goes around what it governs. */
function insideGap({ words }: Structure, { at, end }: Cue): number[] {
  return words[end - 1]?.text === 'from' ? [] : rangeOf(at + 1, end - 1);
}

function isVerbal(s: Structure, { meaning, at, end }: Cue): boolean {
  // "Paid nothing and isolated": an object is no verb.
  if (meaning.behind === 'object' && at > (clauseAt(s, at)?.from ?? 0)) return false;
  return meaning.ahead === 'verbs' || s.words[end - 1]?.text === 'to' || s.words[end]?.text === 'to';
}

/** After "could" and the like a past form is undone only behind "be" or "have": "could be isolated". */
function isUndoneByModal(s: Structure, cue: Cue, at: number): boolean {
  if (!is(s, at, isPast)) return true;
  return rangeOf(cue.end, at).some((between) => is(s, between, (word) => isBe(word) || word.text === 'have'));
}
