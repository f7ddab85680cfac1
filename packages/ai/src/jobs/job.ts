import type { z } from 'zod';

/** What a model is asked: the task is ours; the material is data, whoever wrote it. */
export interface Prompt {
  task: string;
  /** Named pieces of data, any JSON. */
  material: Readonly<Record<string, unknown>>;
}

/** One kind of work for the port: a rules engine that always answers, and what a model needs to do it instead. */
export interface Job<Input, Result> {
  name: string;
  /** What an answer looks like, whoever gives it. */
  schema: z.ZodType<Result>;
  rules(input: Input): Result;
  prompt(input: Input): Prompt;
  /** What a model's answer claims that the input does not hold; empty when it is grounded. One line each, for repair. */
  problems(result: Result, input: Input): string[];
  /** Names of people in the input, that no model needs to know. */
  names(input: Input): string[];
  /** How many tokens an answer may take. */
  max_output_tokens: number;
}
