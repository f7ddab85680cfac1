import type { Engine } from '@muster/contracts';
import { z } from 'zod';
import type { TokenBudget } from '../budget/budget.ts';
import { checkAnswer } from '../models/answer.ts';
import { ask } from '../models/client.ts';
import { ModelFailure, reasonOf } from '../models/failure.ts';
import { instructionsFor, repair } from '../models/instructions.ts';
import { languageModel } from '../models/providers.ts';
import type { Reply } from '../models/reply.ts';
import type { AiSettings, Fetch } from '../models/settings.ts';
import { createRedactor, REDACT_ALL, REDACT_SECRETS } from '../redaction/redaction.ts';
import type { Job } from './job.ts';

export interface CallOptions {
  /** Ends the call; it then raises. */
  signal?: AbortSignal;
  /** Without one there is no limit. */
  budget?: TokenBudget;
}

export interface Usage {
  input_tokens: number;
  output_tokens: number;
  /** US dollars; null where the model's price is not set. */
  cost_usd: number | null;
}

export interface Outcome<Result> {
  result: Result;
  engine: Engine & { kind: 'rules' | 'llm' };
  usage: Usage;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const ATTEMPTS = 2;
/** About as much as the windows of common models hold. */
const MOST_CHARACTERS = 400_000;
/** Fewer than most tokenizers make of English, so that what is set aside is enough. */
const CHARACTERS_PER_TOKEN = 3;

/**
 * Does one job: by rule where the settings say so; else by a model whose answer fits the schema and is grounded in the
 * input, on its second attempt at the latest; else by rule again, marked `degraded` with the reason.
 * Raises only when the caller's signal ends it.
 */
export async function run<Input, Result>(
  job: Job<Input, Result>,
  input: Input,
  { settings, fetch }: { settings: AiSettings; fetch: Fetch },
  options: CallOptions,
): Promise<Outcome<Result>> {
  if (settings.provider === 'rules')
    return {
      result: job.rules(input),
      engine: { kind: 'rules', degraded: false },
      usage: total([], settings),
    };
  const deadline = AbortSignal.timeout(settings.timeout_ms ?? DEFAULT_TIMEOUT_MS);
  const replies: Reply[] = [];
  try {
    const result = await byModel(job, input, { settings, fetch, deadline, replies, ...options });
    const engine = { kind: 'llm' as const, model: settings.model ?? '', degraded: false };
    return { result, engine, usage: total(replies, settings) };
  } catch (error) {
    options.signal?.throwIfAborted();
    const reason = reasonOf(error, deadline);
    const engine = { kind: 'rules' as const, degraded: true, reason: `By rule, since ${reason}.` };
    return { result: job.rules(input), engine, usage: total(replies, settings) };
  }
}

interface Attempt extends CallOptions {
  settings: AiSettings;
  fetch: Fetch;
  deadline: AbortSignal;
  /** Every answer that was paid for is put here. */
  replies: Reply[];
}

async function byModel<Input, Result>(
  job: Job<Input, Result>,
  input: Input,
  { settings, fetch, deadline, replies, signal, budget }: Attempt,
): Promise<Result> {
  const model = languageModel(settings, fetch);
  const hidden = {
    ...(settings.redact_personal_data === false ? REDACT_SECRETS : REDACT_ALL),
    ...settings.redaction,
  };
  const redactor = createRedactor(hidden, job.names(input));
  const { task, material } = job.prompt(input);
  const schema = answerSchema(job.schema);
  const { instructions, prompt } = instructionsFor(
    { task, material: redactor.hide(material) },
    schema,
    settings.structured_outputs === false,
  );
  if (prompt.length > MOST_CHARACTERS) throw new ModelFailure('there is too much material for a model');
  let addition = '';
  for (let attempt = 1; ; attempt += 1) {
    const question = {
      instructions,
      prompt: prompt + addition,
      schema,
      max_output_tokens: job.max_output_tokens,
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    };
    const reply = await withinBudget(budget, question, () => ask(model, question), replies);
    const { result, problems } = checkAnswer(reply, job.schema, redactor.restore, (value) =>
      job.problems(value, input),
    );
    if (result !== null) return result;
    if (attempt === ATTEMPTS) throw new ModelFailure("the model's answer could not be used");
    addition = repair(reply.text, redactor.hide(problems));
  }
}

/** Sets tokens aside for a call, and gives back what it did not take; raises when there are not enough left. */
async function withinBudget(
  budget: TokenBudget | undefined,
  question: { instructions: string; prompt: string; max_output_tokens: number },
  call: () => Promise<Reply>,
  replies: Reply[],
): Promise<Reply> {
  const input = Math.ceil((question.instructions.length + question.prompt.length) / CHARACTERS_PER_TOKEN);
  const reserved = input + question.max_output_tokens;
  if (budget && !(await budget.reserve(reserved)))
    throw new ModelFailure("the organization's token budget is used up");
  let used = 0;
  try {
    const reply = withCounts(await call(), input);
    replies.push(reply);
    used = tokensOf(reply);
    return reply;
  } catch (error) {
    const refused = error instanceof ModelFailure && error.reply ? withCounts(error.reply, input) : null;
    if (refused) replies.push(refused);
    used = refused ? tokensOf(refused) : 0;
    throw error;
  } finally {
    await budget?.spent(used, reserved);
  }
}

/** Where the provider does not count, by length. */
function withCounts(reply: Reply, input: number): Reply {
  return {
    ...reply,
    input_tokens: reply.input_tokens ?? input,
    output_tokens: reply.output_tokens ?? Math.ceil(reply.text.length / CHARACTERS_PER_TOKEN),
  };
}

const tokensOf = (reply: Reply) => (reply.input_tokens ?? 0) + (reply.output_tokens ?? 0);

function total(replies: readonly Reply[], { prices, model }: AiSettings): Usage {
  const input_tokens = replies.reduce((sum, reply) => sum + (reply.input_tokens ?? 0), 0);
  const output_tokens = replies.reduce((sum, reply) => sum + (reply.output_tokens ?? 0), 0);
  const price = prices?.[model ?? ''];
  if (input_tokens + output_tokens === 0) return { input_tokens, output_tokens, cost_usd: 0 };
  const cost = price ? (input_tokens * price.input + output_tokens * price.output) / 1e6 : null;
  return { input_tokens, output_tokens, cost_usd: cost === null ? null : Number(cost.toFixed(6)) };
}

/** What a model is shown of a schema: what it may write. */
function answerSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
}
