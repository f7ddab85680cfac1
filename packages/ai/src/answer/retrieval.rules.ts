import { meaningOf } from '../evidence/passages.rules.ts';
import type { AnswerFact } from './fact.ts';
import type { Question } from './question.rules.ts';

export interface Match {
  fact: AnswerFact;
  /** The share of what is asked that the fact speaks of, 0..1; rare words weigh more. */
  coverage: number;
}

/** The facts that speak of what is asked, those that cover most of it first; of equals the surer one. */
export function matchesOf({ terms }: Question, facts: readonly AnswerFact[]): Match[] {
  const texts = facts.map((fact) => ({ fact, stems: meaningOf(textOf(fact)) }));
  const weights = terms.map((term) => {
    const matches = texts.filter(({ stems }) => holds(stems, term)).length;
    return Math.log(1 + (facts.length + 1) / (matches + 0.5));
  });
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  if (whole === 0) return [];
  return texts
    .map(({ fact, stems }) => {
      const covered = terms.reduce((sum, term, at) => sum + (holds(stems, term) ? (weights[at] ?? 0) : 0), 0);
      return { fact, coverage: covered / whole };
    })
    .filter(({ coverage }) => coverage > 0)
    .sort(
      (one, other) =>
        other.coverage - one.coverage ||
        other.fact.confidence - one.fact.confidence ||
        (one.fact.id < other.fact.id ? -1 : 1),
    );
}

function textOf({ statement, subject, predicate, value, category }: AnswerFact): string {
  const said = typeof value === 'string' ? value : '';
  return [statement, subject, predicate.replaceAll(/[_.]/g, ' '), said, category].join('. ').slice(0, 4000);
}

const holds = (stems: ReadonlySet<string>, term: ReadonlySet<string>) =>
  [...term].some((stem) => stems.has(stem));
