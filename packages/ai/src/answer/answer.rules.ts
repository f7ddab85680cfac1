import type { AnswerContent, Citation } from '@muster/contracts';
import { bare, clipped, counted, listed, paragraph } from '../prose/prose.ts';
import { NEEDED_SOURCES, REASON_BY_STATE, SUBJECTS } from './answer.data.ts';
import type { AnswerFact, AnswerInput } from './fact.ts';
import { type Question, readQuestion } from './question.rules.ts';
import { type Match, matchesOf } from './retrieval.rules.ts';

/** A fact that speaks of less of the question does not answer it. */
const ENOUGH = 0.6;
/** Of the best one, and no further behind. */
const NEAR = 0.9;
const MOST_CITATIONS = 12;
const LONGEST_STATEMENT = 500;
const OLD = 0.5;

/** Answers from facts by rule: what is said is what facts state, each cited; where they do not answer, what would. */
export function answerByRules(input: AnswerInput): AnswerContent {
  const question = readQuestion(input.question);
  const matches = matchesOf(question, input.facts).filter(({ coverage }) => coverage >= ENOUGH);
  const known = matches.filter(({ fact }) => fact.state === 'known');
  const best = known[0];
  if (!best) return answerWithout(input.question, matches);
  const cited = known.filter(({ coverage }) => coverage >= best.coverage * NEAR);
  return answerFrom(question, cited, input);
}

function answerFrom(
  { intent }: Question,
  all: readonly Match[],
  { as_of, facts }: AnswerInput,
): AnswerContent {
  const shown = all.slice(0, MOST_CITATIONS);
  const old = shown.filter(({ fact }) => as_of && fact.valid_until && fact.valid_until < as_of);
  const disagreement = conflicts(shown.map(({ fact }) => fact));
  const sure = shown.reduce((sum, { fact, coverage }) => sum + fact.confidence * coverage, 0) / shown.length;
  const confidence = sure * (old.length > 0 ? OLD : 1) * (disagreement ? OLD : 1);
  return {
    answer: clipped(
      paragraph([
        lead(intent, all),
        ...shown.map(({ fact }) => statementOf(fact)),
        all.length > shown.length ? `${counted(all.length - shown.length, 'more fact')} say the like` : null,
        disagreement,
        old.length > 0
          ? `${old.length === shown.length ? 'This' : 'Part of this'} is old and may have changed`
          : null,
      ]),
      8000,
    ),
    intent,
    confidence: Number(Math.min(1, Math.max(0.01, confidence)).toFixed(2)),
    citations: shown.map(({ fact }) => citationOf(fact)),
    ...(intent === 'count' && { data: countOf(all.map(({ fact }) => fact)) }),
    follow_ups: followUps(shown, facts),
  };
}

/** What is put before the statements: a count, or a yes or no that a fact's value gives. */
function lead(intent: AnswerContent['intent'], matches: readonly Match[]): string | null {
  const facts = matches.map(({ fact }) => fact);
  const [first] = facts;
  if (intent === 'yes_no' && facts.length === 1 && typeof first?.value === 'boolean')
    return first.value ? 'Yes' : 'No';
  if (intent !== 'count' || facts.length < 2 || facts.some(({ value }) => typeof value === 'number'))
    return null;
  const { count, items } = countOf(facts);
  return `${count}: ${listed(items, 6)}`;
}

/** The number that a fact states; else how many subjects there are. */
function countOf(facts: readonly AnswerFact[]): { count: number; items: string[] } {
  const [first] = facts;
  if (facts.length === 1 && typeof first?.value === 'number') return { count: first.value, items: [] };
  const items = [...new Set(facts.map(({ subject }) => clipped(bare(subject), 120)))];
  return { count: items.length, items };
}

function conflicts(facts: readonly AnswerFact[]): string | null {
  const plain = facts.filter(({ value }) => typeof value === 'number' || typeof value === 'boolean');
  const same = Map.groupBy(plain, ({ subject, predicate }) => `${subject}\n${predicate}`);
  const torn = [...same.values()].find((group) => new Set(group.map(({ value }) => value)).size > 1);
  return torn ? `Sources disagree on ${clipped(bare(torn[0]?.subject ?? ''), 120)}` : null;
}

function answerWithout(question: string, matches: readonly Match[]): AnswerContent {
  const [unusable] = matches;
  const category = unusable?.fact.category ?? SUBJECTS.find(({ words }) => words.test(question))?.category;
  const needed =
    (category && NEEDED_SOURCES[category]) ?? 'a connector, an exercise or a document that speaks of it';
  const why = unusable ? REASON_BY_STATE[unusable.fact.state] : 'No fact answers this.';
  return {
    answer: `${why} What would be needed: ${needed}.`,
    intent: 'unknown',
    confidence: 0,
    citations: [],
    follow_ups: [],
  };
}

function followUps(shown: readonly Match[], facts: readonly AnswerFact[]): string[] {
  const cited = new Set(shown.map(({ fact }) => fact.id));
  const subjects = [...new Set(shown.map(({ fact }) => fact.subject))].slice(0, 3);
  return subjects
    .filter((subject) => facts.some((fact) => fact.subject === subject && !cited.has(fact.id)))
    .map((subject) => `What else is known about ${clipped(bare(subject), 200)}?`);
}

/** A fact as it is cited: its statement and the source that saw it last. */
export function citationOf(fact: AnswerFact): Citation {
  const [latest] = fact.sources.toSorted((one, other) => ((one.at ?? '') < (other.at ?? '') ? 1 : -1));
  return { fact_id: fact.id, statement: statementOf(fact), source: latest ?? null };
}

/** What a fact states, in one line. */
export function statementOf({ statement, subject, predicate }: AnswerFact): string {
  return clipped(bare(statement) || `${bare(subject)} ${bare(predicate)}`, LONGEST_STATEMENT);
}
