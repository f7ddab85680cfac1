import { generateText, jsonSchema, NoObjectGeneratedError, Output } from 'ai';
import { ModelFailure } from './failure.ts';
import type { LanguageModel } from './providers.ts';
import type { Reply } from './reply.ts';

export interface Question {
  instructions: string;
  prompt: string;
  /** JSON schema of the answer. */
  schema: Record<string, unknown>;
  max_output_tokens: number;
  signal: AbortSignal;
}

const RETRIES = 1;
globalThis.AI_SDK_LOG_WARNINGS = false;

/**
 * Asks a model once (again after a 429 or a passing failure, as long as the signal lets it). What it wrote comes back
 * as it is, to be checked. Raises {@link ModelFailure} for a refusal, and what the provider's client raises.
 */
export async function ask(model: LanguageModel, question: Question): Promise<Reply> {
  try {
    const { text, usage, finishReason } = await generateText({
      model,
      instructions: question.instructions,
      prompt: question.prompt,
      output: Output.object({ schema: jsonSchema(question.schema), name: 'answer' }),
      maxOutputTokens: question.max_output_tokens,
      maxRetries: RETRIES,
      abortSignal: question.signal,
      providerOptions: { openaiCompatible: { strictJsonSchema: false } },
    });
    return replyOf(text, usage, finishReason);
  } catch (error) {
    if (!NoObjectGeneratedError.isInstance(error)) throw error;
    return replyOf(error.text ?? '', error.usage, error.finishReason);
  }
}

function replyOf(
  text: string,
  usage: { inputTokens: number | undefined; outputTokens: number | undefined } | undefined,
  finishReason: string | undefined,
): Reply {
  const reply: Reply = {
    text,
    input_tokens: usage?.inputTokens ?? null,
    output_tokens: usage?.outputTokens ?? null,
    cut_off: finishReason === 'length',
  };
  if (finishReason === 'content-filter' || (text.trim() === '' && !reply.cut_off))
    throw new ModelFailure('the model refused to answer', reply);
  return reply;
}
