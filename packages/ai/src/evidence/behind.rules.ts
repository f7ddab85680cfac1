import { type Clause, contentFrom, rangeOf } from './clauses.rules.ts';
import {
  isAdverb,
  isAside,
  isAuxiliary,
  isDecided,
  isDeterminer,
  isFunction,
  isFuture,
  isHaste,
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

/** The words that a cue governs before itself, as indexes into the sentence. */
export function wordsBehind(s: Structure, cue: Cue): number[] {
  const clause = clauseAt(s, cue.at);
  if (!clause) return [];
  switch (cue.meaning.behind) {
    case 'clause':
      return rangeOf(Math.max(clause.from, cue.at - FURTHEST), cue.at);
    case 'object':
      return objectBefore(s, cue, clause);
    case 'subject':
      return subjectBefore(s, cue, clause);
    case 'undone':
      return undoneBefore(s, cue, clause);
    default:
      return [];
  }
}

/** "Isolated nothing", "shut down no host". */
function objectBefore(s: Structure, cue: Cue, clause: Clause): number[] {
  const at = is(s, cue.at - 1, isAdverb) ? cue.at - 2 : cue.at - 1;
  return at >= clause.from && !is(s, at, isFunction) ? [at] : [];
}

/** "Isolation was not necessary", "to isolate was ruled out", "isolation postponed". */
function subjectBefore(s: Structure, cue: Cue, clause: Clause): number[] {
  const helpers = helpersFrom(s, cue.at);
  const subject = helpers - 1;
  if (subject < clause.from || is(s, subject, isSubject) || is(s, subject, isRelative)) return [];
  if (!tellsOfSubject(s, cue, clause)) return [];
  if (cue.meaning.turn === 'doubts' && isDecidedNext(s, clause)) return [];
  return [
    ...topicWords(s, Math.max(clause.from, cue.at - FURTHEST), helpers),
    ...coordinatedSubjects(s, clause),
  ];
}

/** Whether a cue says something of the subject before it, rather than what the subject does to something else. */
function tellsOfSubject(s: Structure, cue: Cue, clause: Clause): boolean {
  const { verb, turn } = cue.meaning;
  const hasNext = cue.end < clause.to;
  if (verb) {
    if (!is(s, cue.at, (word) => isPast(word) || isUnchangedPast(word) || word.text === 'option'))
      return false;
    const object = !is(s, cue.end, (word) => isPreposition(word) || isAdverb(word) || isAuxiliary(word));
    return isParticiple(s, cue) || !hasNext || !object;
  }
  if (turn !== 'negates' || isHelped(s, cue)) return true;
  return s.words[cue.at]?.text === 'never' || (hasNext && is(s, cue.end, isStatus));
}

/** The words of a subject, without those of a phrase such as "after isolation" and without past forms. */
function topicWords(s: Structure, from: number, to: number): number[] {
  const found: number[] = [];
  let aside = false;
  for (const at of rangeOf(topicStart(s, from, to), to)) {
    if (is(s, at, isAside)) aside = true;
    else if (is(s, at, isDeterminer) && !is(s, at - 1, (word) => isPreposition(word) || isAside(word)))
      aside = false;
    if (aside || is(s, at, (word) => isPast(word) || isFunction(word))) continue;
    // "We isolate", "IT will isolate": a verb of its own.
    if (!is(s, at - 1, (word) => isSubject(word) || isFuture(word))) found.push(at);
  }
  return found;
}

/** Behind "that" in "an account that the intruder cannot reach", but not in "isolation that we planned was not …". */
function topicStart(s: Structure, from: number, to: number): number {
  let start = from;
  for (const at of rangeOf(from, to)) {
    const isNew =
      is(s, at, ({ text }) => /^(as|before|until)$/.test(text)) ||
      (is(s, at, isRelative) && !hasVerb(s, at + 1, to));
    if (isNew) start = at + 1;
  }
  return start;
}

function hasVerb(s: Structure, from: number, to: number): boolean {
  return rangeOf(from, to).some((at) => is(s, at, (word) => isPast(word) || isAuxiliary(word)));
}

/** "Isolation and shutdown were not approved": the subjects before the last one. */
function coordinatedSubjects(s: Structure, { index, opener }: Clause): number[] {
  if (opener !== 'and' && opener !== 'or') return [];
  const found: number[] = [];
  for (const clause of s.clauses.slice(Math.max(0, index - FURTHEST), index).reverse()) {
    if (clause.standsAlone || clause.hasPastVerb) break;
    found.push(...rangeOf(clause.from, clause.to).filter((at) => is(s, at, isNominal)));
    if (clause.opener === 'turn' || clause.opener === 'label') break;
  }
  return found;
}

/** "Isolate the hosts tomorrow", also "isolate and reimage the hosts tomorrow"; not what has happened. */
function undoneBefore(s: Structure, cue: Cue, clause: Clause): number[] {
  const found = rangeOf(clause.from, cue.at);
  let later = clause;
  while ((later.opener === 'and' || later.opener === 'or') && !later.standsAlone) {
    const earlier = s.clauses[later.index - 1];
    if (!earlier || cue.at - earlier.from > FURTHEST) break;
    const words = rangeOf(earlier.from, earlier.to);
    if (words.some((at) => is(s, at, isHaste))) break;
    found.push(...words);
    later = earlier;
  }
  return found.filter((at) => cue.at - at <= FURTHEST);
}

/** "Isolation was discussed and approved." */
function isDecidedNext(s: Structure, { index }: Clause): boolean {
  const next = s.clauses[index + 1];
  if (!next || s.cuesIn[next.index]?.length) return false;
  const first = contentFrom(s.words, next.from, next.to);
  return first !== null && isDecided(first);
}
