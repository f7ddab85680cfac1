import { APICallError, RetryError } from 'ai';
import type { Reply } from './reply.ts';

/** The model gave no usable answer; the message says why, in words that can be shown. */
export class ModelFailure extends Error {
  /** What the failed attempt used, where there is an answer to count. */
  readonly reply: Reply | null;

  constructor(message: string, reply: Reply | null = null) {
    super(message);
    this.name = 'ModelFailure';
    this.reply = reply;
  }
}

const BY_STATUS: Readonly<Record<number, string>> = {
  400: 'the provider did not accept the request: check the model and the base URL',
  401: 'the provider refused the API key',
  403: 'the provider refused the API key',
  404: 'the provider does not know the model or the address: check the model and the base URL',
  413: 'the request was too large for the model',
  429: 'the provider has too many requests',
};

/** Why a call to a model failed, in words that can be shown: nothing of what the provider wrote is in them. */
export function reasonOf(error: unknown, deadline: AbortSignal): string {
  if (deadline.aborted) return 'the model gave no answer in time';
  if (error instanceof ModelFailure) return error.message;
  const last = RetryError.isInstance(error) ? error.lastError : error;
  if (!APICallError.isInstance(last)) return 'the model gave no answer that could be read';
  const status = last.statusCode;
  if (status === undefined) return 'the provider could not be reached';
  if (status >= 200 && status < 300) return 'the model gave no answer that could be read';
  return BY_STATUS[status] ?? `the provider failed (${status})`;
}
