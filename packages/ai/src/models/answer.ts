import type { z } from 'zod';
import type { Reply } from './reply.ts';

const MOST_PROBLEMS = 12;

export type AnswerCheck<Result> = { result: Result; problems: [] } | { result: null; problems: string[] };

/** Reads a model's answer: JSON (in a code fence, if it must be) that fits the schema and holds up against the input. */
export function checkAnswer<Result>(
  reply: Reply,
  schema: z.ZodType<Result>,
  restore: <Value>(value: Value) => Value,
  problemsOf: (result: Result) => string[],
): AnswerCheck<Result> {
  const value = jsonIn(reply.text);
  if (value === undefined)
    return refusal([
      reply.cut_off ? 'the answer was cut off: be shorter' : 'the answer is not a JSON object',
    ]);
  const parsed = schema.safeParse(restore(value));
  if (!parsed.success)
    return refusal(
      parsed.error.issues.map(({ path, message }) => `/${path.map(String).join('/')}: ${message}`),
    );
  const problems = problemsOf(parsed.data);
  return problems.length > 0 ? refusal(problems) : { result: parsed.data, problems: [] };
}

function refusal(problems: string[]): { result: null; problems: string[] } {
  const more = problems.length - MOST_PROBLEMS;
  return {
    result: null,
    problems: more > 0 ? [...problems.slice(0, MOST_PROBLEMS), `and ${more} more of this kind`] : problems,
  };
}

function jsonIn(text: string): unknown {
  const body = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
