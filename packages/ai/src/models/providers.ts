import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ModelFailure } from './failure.ts';
import { limitedFetch } from './response.ts';
import type { AiSettings, Fetch } from './settings.ts';

export type LanguageModel = ReturnType<ReturnType<typeof createAnthropic>['languageModel']>;

/** What the settings lack before a model can be asked; null when nothing. */
export function missingSetting({ provider, model, base_url, api_key }: AiSettings): string | null {
  if (!model) return 'no model is set';
  if (provider === 'openai_compatible' && !base_url) return 'no base URL is set';
  return provider === 'anthropic' && !api_key ? 'no API key is set' : null;
}

/** The model that the settings name, reached through `fetch`. Raises {@link ModelFailure} where a setting is missing. */
export function languageModel(settings: AiSettings, fetch: Fetch): LanguageModel {
  const missing = missingSetting(settings);
  if (missing) throw new ModelFailure(missing);
  const { provider, model, base_url, api_key, structured_outputs } = settings;
  const guarded = limitedFetch(fetch);
  if (provider === 'anthropic')
    return createAnthropic({ apiKey: api_key ?? '', ...(base_url && { baseURL: base_url }), fetch: guarded })(
      model ?? '',
    );
  return createOpenAICompatible({
    name: 'openai-compatible',
    baseURL: base_url ?? '',
    ...(api_key && { apiKey: api_key }),
    supportsStructuredOutputs: structured_outputs ?? true,
    transformRequestBody: (body) => (isOpenAi(base_url ?? '') ? withOpenAiLimit(body) : body),
    fetch: guarded,
  })(model ?? '');
}

/** OpenAI itself, or Azure's. */
function isOpenAi(baseUrl: string): boolean {
  return /^https:\/\/(?:[\w-]+\.)*openai\.(?:azure\.)?com(?:[:/]|$)/i.test(baseUrl);
}

/** Its newer models refuse the old name of the limit, which everybody else still wants. */
function withOpenAiLimit({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return { ...body, max_completion_tokens: max_tokens };
}
