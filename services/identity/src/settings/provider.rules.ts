import type { SettingsFacts } from '@muster/contracts';

type Ai = Pick<SettingsFacts['ai'], 'provider' | 'base_url' | 'model'>;

/** A request to a provider of language models. */
export interface ProviderRequest {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
}

/** As the provider's own client has it. */
const ANTHROPIC_URL = 'https://api.anthropic.com/v1';
/** https://docs.anthropic.com/en/api/versioning */
const ANTHROPIC_VERSION = '2023-06-01';

/** The host that a provider's requests go to. */
export function hostOf(ai: Ai): string {
  return new URL(baseOf(ai)).host;
}

const baseOf = ({ base_url }: Ai) => (base_url ?? ANTHROPIC_URL).replace(/(?<!\/)\/+$/, '');

/** The cheapest request that shows whether key and address are good: for the model, or the list of models. */
export function modelQuestion(ai: Ai, key: string | null): ProviderRequest {
  const path = ai.provider === 'anthropic' ? `models/${encodeURIComponent(ai.model ?? '')}` : 'models';
  return { url: `${baseOf(ai)}/${path}`, method: 'GET', headers: headersOf(ai, key) };
}

/** A completion of one token, for providers that do not list their models, or not all. */
export function completionQuestion(ai: Ai, key: string | null): ProviderRequest {
  const body = { model: ai.model, max_tokens: 1, messages: [{ role: 'user', content: 'Hello' }] };
  return {
    url: `${baseOf(ai)}/chat/completions`,
    method: 'POST',
    headers: { ...headersOf(ai, key), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

function headersOf({ provider }: Ai, key: string | null): Record<string, string> {
  if (provider === 'anthropic') return { 'x-api-key': key ?? '', 'anthropic-version': ANTHROPIC_VERSION };
  return key === null ? {} : { authorization: `Bearer ${key}` };
}

/** Whether an answer is a list of models with this one in it. */
export function listsModel(answer: unknown, model: string | null): boolean {
  const rows = (answer as { data?: unknown } | null)?.data;
  return Array.isArray(rows) && rows.some((row) => (row as { id?: unknown } | null)?.id === model);
}

/** Whether an answer is a completion, as OpenAI gives it. */
export function isCompletion(answer: unknown): boolean {
  return Array.isArray((answer as { choices?: unknown } | null)?.choices);
}

/** What a status other than 2xx means, in a sentence that says what to look at. */
export function statusDetail(ai: Ai, hasKey: boolean, status: number): string {
  const host = hostOf(ai);
  if (status === 401 || status === 403)
    return hasKey ? `${host} refuses the API key (HTTP ${status}).` : `${host} asks for an API key.`;
  if (status === 404)
    return `${host} does not know the model ${ai.model}, or nothing is at this address (HTTP 404).`;
  if (status === 429)
    return `${host} takes no more requests for now (HTTP 429): look at the account's quota.`;
  if (status >= 500) return `${host} has a failure of its own (HTTP ${status}).`;
  if (status >= 400)
    return `${host} refuses a request to the model ${ai.model} (HTTP ${status}): check the model's name.`;
  return `${host} sends requests elsewhere (HTTP ${status}): check the address.`;
}
