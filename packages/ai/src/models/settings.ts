import type { RedactionOptions } from '../redaction/redaction.ts';

/** US dollars for a million tokens. */
export interface Price {
  input: number;
  output: number;
}

/** How an organization has set its AI; the first six are as in its settings. */
export interface AiSettings {
  provider: 'rules' | 'openai_compatible' | 'anthropic';
  /** Where the model is; Anthropic has a default. */
  base_url?: string | null;
  model?: string | null;
  /** In the clear; it goes nowhere but into the request to the provider. */
  api_key?: string | null;
  /** For one job, repair included. */
  timeout_ms?: number;
  redact_personal_data?: boolean;
  /** Overrides what `redact_personal_data` says of single kinds. */
  redaction?: Partial<RedactionOptions>;
  /** By model name; without one the cost is not known. */
  prices?: Readonly<Record<string, Price>>;
  /** False for an endpoint that refuses a JSON schema: it is then told of it in words. */
  structured_outputs?: boolean;
}

export type Fetch = typeof globalThis.fetch;
