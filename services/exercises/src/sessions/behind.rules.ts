import { type Clause, contentFrom, hasPastVerb, standsAlone } from './clauses.rules.ts';
import {
  isAdverb, isAside, isDecided, isDeterminer, isFinite, isFunction, isFuture, isHaste, isNominal, isPast, isPreposition, isRelative, isStatus, isSubject,
} from './grammar.rules.ts';
import type { Word } from './sentences.rules.ts';
import { type Cue, FURTHEST, helped, helpersFrom, isParticiple, range, type Structure } from './structure.rules.ts';

/** The words that a cue governs before itself, as indexes into the sentence. */
export function wordsBehind(s: Structure, cue: Cue): number[] {
  const clause = s.clauses[s.clauseOf[cue.at] ?? 0];
  if (!clause) return [];
  switch (cue.meaning.behind) {
    case 'clause':
      return range(Math.max(clause.from, cue.at - FURTHEST), cue.at);
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
  let at = cue.at - 1;
  const nearest = s.words[at];
  if (nearest && isAdverb(nearest)) at -= 1;
  const word = s.words[at];
  return at >= clause.from && word && !isFunction(word) ? [at] : [];
}

/** "Isolation was not necessary", "to isolate was ruled out", "isolation postponed". */
function subjectBefore(s: Structure, cue: Cue, clause: Clause): number[] {
  const helpers = helpersFrom(s, cue.at);
  const left = s.words[helpers - 1];
  if (helpers === clause.from || !left || isSubject(left) || isRelative(left)) return [];
  if (!aboutSubject(s, cue, clause)) return [];
  if (cue.meaning.turn === 'doubts' && decidedNext(s, clause)) return [];
  const start = Math.max(clause.from, cue.at - FURTHEST);
  return [...topicWords(s, start, helpers), ...coordinatedSubjects(s, clause)];
}

/** Whether a cue says something of the subject before it, rather than what the subject does to something else. */
function aboutSubject(s: Structure, cue: Cue, clause: Clause): boolean {
  const row = cue.meaning;
  const next = cue.end < clause.to ? s.words[cue.end] : undefined;
  if (row.verb) {
    const word = s.words[cue.at];
    if (!word || !(isPast(word) || word.text === 'option')) return false;
    if (isParticiple(s, cue)) return true;
    return !next || isPreposition(next) || isAdverb(next) || isFinite(next);
  }
  if (row.turn !== 'negates' || helped(s, cue)) return true;
  return s.words[cue.at]?.text === 'never' || (next !== undefined && isStatus(next));
}

/** The words of a subject, without those of a phrase such as "after isolation" and without past forms. */
function topicWords(s: Structure, from: number, to: number): number[] {
  const found: number[] = [];
  let aside = false;
  for (let at = from; at < to; at += 1) {
    const word = s.words[at];
    const before = s.words[at - 1];
    if (!word) continue;
    if (word.text === 'as') found.length = 0;
    if (isAside(word)) aside = true;
    else if (isDeterminer(word) && !(before && (isPreposition(before) || isAside(before)))) aside = false;
    if (aside || isPast(word) || isFunction(word)) continue;
    if (before && (isSubject(before) || isFuture(before))) continue;
    found.push(at);
  }
  return found;
}

/** "Isolation and shutdown were not approved": the subjects before the last one. */
function coordinatedSubjects(s: Structure, clause: Clause): number[] {
  const found: number[] = [];
  let opener = clause.opener;
  let index = s.clauseOf[clause.from] ?? 0;
  while (index > 0 && found.length < FURTHEST && (opener === 'and' || opener === 'or' || (found.length > 0 && opener === 'mark'))) {
    index -= 1;
    const earlier = s.clauses[index];
    if (!earlier || standsAlone(s.words, earlier) || hasPastVerb(s.words, earlier)) break;
    found.push(...range(earlier.from, earlier.to).filter((at) => is(s, at, isNominal)));
    opener = earlier.opener;
  }
  return found;
}

/** "Isolate the hosts tomorrow", also "isolate and reimage the hosts tomorrow". */
function undoneBefore(s: Structure, cue: Cue, clause: Clause): number[] {
  const found = range(Math.max(clause.from, cue.at - FURTHEST), cue.at);
  let later = clause;
  for (let index = (s.clauseOf[clause.from] ?? 0) - 1; index >= 0; index -= 1) {
    const earlier = s.clauses[index];
    const linked = later.opener === 'and' || later.opener === 'or';
    if (!earlier || !linked || standsAlone(s.words, later) || cue.at - earlier.from > FURTHEST) break;
    const words = range(earlier.from, earlier.to);
    if (words.some((at) => is(s, at, isHaste))) break;
    found.push(...words);
    later = earlier;
  }
  return found;
}

/** "Isolation was discussed and approved." */
function decidedNext(s: Structure, clause: Clause): boolean {
  const next = s.clauses[(s.clauseOf[clause.from] ?? 0) + 1];
  if (!next || s.cues.some((cue) => cue.at >= next.from && cue.at < next.to)) return false;
  const first = contentFrom(s.words, next.from, next.to);
  return first !== null && isDecided(first);
}


const is = (s: Structure, at: number, test: (word: Word) => boolean) => {
  const word = s.words[at];
  return word !== undefined && test(word);
};
