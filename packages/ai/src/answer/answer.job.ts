import { type AnswerContent, answerContent } from '@muster/contracts';
import type { Job } from '../jobs/job.ts';
import { answerByRules, citationOf, statementOf } from './answer.rules.ts';
import type { AnswerInput } from './fact.ts';
import { readQuestion } from './question.rules.ts';
import { matchesOf } from './retrieval.rules.ts';

const MOST_FACTS = 80;
const TASK = `Answer the question from the facts, and from nothing else.
- Every claim and every number comes from a fact that you cite: "fact_id", its "statement" letter for letter, its "source" as it is.
- "confidence" is that of the facts, less where they only nearly answer. A fact whose state is not "known" answers nothing.
- If the facts do not answer: confidence 0, no citations, intent "unknown", and say which data would be needed.
- "follow_ups": up to three questions that these facts would answer. Leave "data" out.`;
const NUMBER = /\d+(?:[.,]\d+)?/g;

export const answerJob: Job<AnswerInput, AnswerContent> = {
  name: 'answer-question',
  schema: answerContent,
  rules: answerByRules,
  prompt: (input) => ({
    task: TASK,
    material: {
      question: input.question,
      facts: matchesOf(readQuestion(input.question), input.facts)
        .slice(0, MOST_FACTS)
        .map(({ fact }) => ({
          fact_id: fact.id,
          statement: statementOf(fact),
          state: fact.state,
          confidence: fact.confidence,
          source: citationOf(fact).source,
        })),
    },
  }),
  problems: answerProblems,
  names: () => [],
  max_output_tokens: 2000,
};

/** What a model's answer claims that no fact states. */
export function answerProblems(written: AnswerContent, { question, facts }: AnswerInput): string[] {
  const known = new Map(facts.filter(({ state }) => state === 'known').map((fact) => [fact.id, fact]));
  const { answer, citations, confidence, data } = written;
  const cited = citations.flatMap(({ fact_id }) => known.get(fact_id) ?? []);
  const stated = [
    question,
    String(citations.length),
    ...cited.map(statementOf),
    ...cited.map(({ value }) => JSON.stringify(value) ?? ''),
  ];
  const numbers = new Set(stated.flatMap((text) => text.match(NUMBER) ?? []));
  return [
    ...citations.flatMap((citation, at) => {
      const fact = known.get(citation.fact_id);
      if (!fact) return [`/citations/${at}: there is no known fact "${citation.fact_id}"`];
      const same = JSON.stringify(citation.source) === JSON.stringify(citationOf(fact).source);
      return citation.statement === statementOf(fact) && same
        ? []
        : [`/citations/${at}: not as the fact has it`];
    }),
    ...(confidence > 0 && citations.length === 0
      ? ['/citations: an answer cites the facts that it is from']
      : []),
    ...(confidence === 0 && citations.length > 0
      ? ['/confidence: 0 is for a question that the facts do not answer']
      : []),
    ...(data === undefined ? [] : ['/data: leave it out']),
    ...(confidence > 0 ? (answer.match(NUMBER) ?? []) : [])
      .filter((number) => !numbers.has(number))
      .map((number) => `/answer: no cited fact holds the number ${number}`),
  ];
}
