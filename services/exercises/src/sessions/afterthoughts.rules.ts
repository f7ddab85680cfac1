import { resumption } from './ahead.rules.ts';
import { type Clause, contentFrom } from './clauses.rules.ts';
import { isBe, isFunction, isPast, isStatus } from './grammar.rules.ts';
import { type Cue, range, type Structure } from './structure.rules.ts';

const OPPOSING = /^(but|however|although|though|yet)$/;

/**
 * The words taken back by a clause that has nothing but a cue: "isolation: rejected", "we wanted to isolate, but could
 * not". Behind a label everything is taken back, else what has not happened.
 */
export function takenBack(s: Structure): number[] {
  return s.clauses.flatMap((clause, index) => {
    const before = clauseBefore(s, index);
    if (!before || !isAfterthought(s, clause) || !isNegative(s, clause)) return [];
    return range(before.from, before.to).filter((at) => clause.opener === 'label' || !s.settled[at]);
  });
}

/** The nearest clause before this one that says something. */
function clauseBefore(s: Structure, index: number): Clause | undefined {
  return s.clauses.slice(0, index).findLast(({ from, to }) => contentFrom(s.words, from, to) !== null);
}

function isAfterthought(s: Structure, clause: Clause): boolean {
  return range(clause.from, clause.to).every((at) => {
    const word = s.words[at];
    return word && (isFunction(word) || isStatus(word) || s.cues.some((cue) => at >= cue.at && at < cue.end));
  });
}

function isNegative(s: Structure, clause: Clause): boolean {
  const cues = s.cues.filter((cue) => cue.at >= clause.from && cue.at < clause.to && tellsOf(s, clause, cue));
  if (cues.some((cue) => resumption(s, cue) !== null)) return false;
  const turned = (turn: Cue['meaning']['turn']) => cues.filter((cue) => cue.meaning.turn === turn).length;
  return turned('doubts') > 0 || turned('negates') > 0 !== (turned('reverses') % 2 === 1);
}

/** "Isolate and wait" takes nothing back: a verb does so as a participle, behind a label or a word like "but". */
function tellsOf(s: Structure, clause: Clause, cue: Cue): boolean {
  if (!cue.meaning.verb || clause.opener === 'label') return true;
  const first = s.words[clause.from];
  if (first && OPPOSING.test(first.text)) return true;
  const word = s.words[cue.at];
  const passive = range(clause.from, cue.at).some((at) => {
    const helper = s.words[at];
    return helper !== undefined && isBe(helper);
  });
  return word !== undefined && isPast(word) && (passive || clause.opener === 'mark');
}
