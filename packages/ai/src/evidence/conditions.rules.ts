import { type Clause, rangeOf, tellsPast } from './clauses.rules.ts';
import { isSubject } from './grammar.rules.ts';
import type { Structure } from './structure.rules.ts';

const CONDITIONS = /^(if|unless|provided)$/;
/** Conditions as long as they do not tell of the past. */
const TIMES = /^(when|once|whenever)$/;
const ASKED = /^(whether|if|how|what|who|where|which)$/;
const INVERTED = /^(had|were|should)$/;

/**
 * The words that stand under a condition, as indexes: "isolate if it spreads", "once legal agrees, we isolate". In the
 * main clause only what has not happened; in the condition itself everything.
 * @param neutral the words of idioms such as "even if"
 */
export function conditionalWords(s: Structure, neutral: ReadonlySet<number>): number[] {
  const first = s.clauses.findIndex(({ says }) => says);
  return s.clauses.flatMap((clause, index) => {
    const leads = index <= first;
    const kind = neutral.has(clause.from) ? null : conditionOf(s, clause, leads);
    if (kind === null) return [];
    const own = rangeOf(clause.from, clause.to);
    const main = kind === 'precaution' ? [] : leads ? mainAfter(s, index) : mainBefore(s, index);
    return [...own, ...main.filter((at) => !s.settled[at])];
  });
}

function conditionOf(s: Structure, clause: Clause, leads: boolean): 'condition' | 'precaution' | null {
  const { text = '' } = s.words[clause.from] ?? {};
  const second = s.words[clause.from + 1];
  const before = s.words[clause.from - 1];
  if (clause.opener !== 'turn' && clause.opener !== 'start') return null;
  if (s.cued[clause.from] && text === 'if') return null;
  if (CONDITIONS.test(text)) return 'condition';
  // "In case it spreads" is a condition in front and a precaution behind.
  if (text === 'in' && second?.text === 'case') return leads ? 'condition' : 'precaution';
  if (text === 'after' && before?.text === 'only') return 'condition';
  const time = TIMES.test(text) || (text === 'as' && /^(soon|long)$/.test(second?.text ?? ''));
  // "Decide whether and when it is stopped".
  const asked = /^(and|or)$/.test(before?.text ?? '') && ASKED.test(s.words[clause.from - 2]?.text ?? '');
  if (time && asked) return null;
  if (time) return tellsPast(s.words, clause.from, clause.to) ? null : 'condition';
  return INVERTED.test(text) && second && isSubject(second) && leads ? 'condition' : null;
}

/** The clauses coordinated with the condition, the one behind them, and those coordinated with that. */
function mainAfter(s: Structure, index: number): number[] {
  const found: number[] = [];
  let mains = 0;
  for (let next = index + 1; next < s.clauses.length; next += 1) {
    const clause = s.clauses[next];
    if (!clause) break;
    if (!isLinked(clause)) mains += 1;
    if (mains > 1 || (clause.opener === 'turn' && s.words[clause.from]?.text !== 'then')) break;
    found.push(...rangeOf(clause.from, clause.to));
  }
  return found;
}

/** The clause before the condition, and those that it is coordinated with. */
function mainBefore(s: Structure, index: number): number[] {
  const found: number[] = [];
  let clause = s.clauses[index - 1];
  while (clause) {
    found.push(...rangeOf(clause.from, clause.to));
    clause = isLinked(clause) ? s.clauses[clause.index - 1] : undefined;
  }
  return found;
}

const isLinked = ({ opener }: Clause) => opener === 'and' || opener === 'or';
