import { resumption } from './ahead.rules.ts';
import { type Clause, rangeOf } from './clauses.rules.ts';
import { isBe, isFunction, isPast, isStatus } from './grammar.rules.ts';
import { type Cue, FURTHEST, is, type Structure } from './structure.rules.ts';

const OPPOSING = /^(but|however|although|though|yet)$/;

/**
 * The words taken back by a clause that has nothing but a cue: "isolation: rejected", "we wanted to isolate, but could
 * not". Behind a label everything is taken back, else what has not happened.
 */
export function takenBack(s: Structure): number[] {
  const found: number[] = [];
  let said: Clause | undefined;
  for (const clause of s.clauses) {
    if (said && isAfterthought(s, clause) && isNegative(s, clause))
      found.push(...rangeOf(said.from, said.to).filter((at) => clause.opener === 'label' || !s.settled[at]));
    else if (clause.says) said = clause;
  }
  return found;
}

function isAfterthought(s: Structure, clause: Clause): boolean {
  return rangeOf(clause.from, clause.to).every(
    (at) => s.cued[at] || is(s, at, (word) => isFunction(word) || isStatus(word)),
  );
}

function isNegative(s: Structure, clause: Clause): boolean {
  const cues = (s.cuesIn[clause.index] ?? []).filter((cue) => tellsOfWhole(s, clause, cue));
  if (cues.some((cue) => resumption(s, cue) !== null)) return false;
  const turned = (turn: Cue['meaning']['turn']) => cues.filter((cue) => cue.meaning.turn === turn).length;
  return turned('doubts') > 0 || turned('negates') > 0 !== (turned('reverses') % 2 === 1);
}

/** "Isolate and wait" takes nothing back: a verb does so as a participle, behind a label or a word like "but". */
function tellsOfWhole(s: Structure, clause: Clause, cue: Cue): boolean {
  if (!cue.meaning.verb || clause.opener === 'label') return true;
  if (is(s, clause.from, ({ text }) => OPPOSING.test(text))) return true;
  const isPassive = rangeOf(Math.max(clause.from, cue.at - FURTHEST), cue.at).some((at) => is(s, at, isBe));
  return is(s, cue.at, isPast) && (isPassive || clause.opener === 'mark');
}
