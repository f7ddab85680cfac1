import { type Ctx, type Fetched, guardedFetch, isLoopback, openSetting } from '@muster/service-kit';
import { config } from '../config.ts';
import {
  completionQuestion,
  hostOf,
  isCompletion,
  listsModel,
  modelQuestion,
  type ProviderRequest,
  statusDetail,
} from './provider.rules.ts';
import type { CurrentSettings } from './settings.model.ts';
import { API_KEY, readSettings } from './settings.service.ts';
import type { Outcome } from './test.model.ts';

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 2 * 1024 * 1024;

/**
 * Asks the organization's AI provider for as little as shows that address, key and model are good. Raises what
 * `guardedFetch` raises for an address that cannot be called.
 */
export async function tryProvider(ctx: Ctx): Promise<Outcome> {
  const { ai } = await readSettings(ctx);
  if (ai.provider === 'rules')
    return { ok: true, detail: 'The rules engine is part of Muster: there is nothing to reach.' };
  const key = keyOf(ctx, ai);
  if (key === undefined)
    return { ok: false, detail: 'The stored API key cannot be opened any more: set it again.' };
  return await question(ctx, ai, key);
}

/** The key in the clear, null where none is stored, undefined where its key-encryption key is gone. */
function keyOf(ctx: Ctx, { api_key }: CurrentSettings['ai']): string | null | undefined {
  try {
    return api_key && openSetting(ctx, API_KEY, api_key);
  } catch {
    return undefined;
  }
}

async function question(ctx: Ctx, ai: CurrentSettings['ai'], key: string | null): Promise<Outcome> {
  const refused = (status: number): Outcome => ({
    ok: false,
    detail: statusDetail(ai, key !== null, status),
  });
  const good = { ok: true, detail: `${hostOf(ai)} answers and knows the model ${ai.model}.` };
  const models = await ask(ctx, ai, modelQuestion(ai, key));
  if (ai.provider === 'anthropic') return models.status === 200 ? good : refused(models.status);
  if (models.status === 401 || models.status === 403) return refused(models.status);
  if (models.status === 200 && listsModel(jsonOf(models), ai.model)) return good;
  // Some list nothing, others not under every name that they take.
  const completion = await ask(ctx, ai, completionQuestion(ai, key));
  if (completion.status !== 200) return refused(completion.status);
  if (isCompletion(jsonOf(completion))) return good;
  return { ok: false, detail: `${hostOf(ai)} does not answer as an OpenAI-compatible provider does.` };
}

async function ask(
  ctx: Ctx,
  ai: CurrentSettings['ai'],
  { url, ...request }: ProviderRequest,
): Promise<Fetched> {
  return await guardedFetch(url, {
    ...request,
    policy: { allow: [...config(ctx).AI_ALLOW_HOSTS.allow, ...developmentHosts(ctx, new URL(url))] },
    timeoutMs: Math.min(ai.timeout_ms, TIMEOUT_MS),
    maxBytes: MAX_BYTES,
    signal: ctx.signal,
  });
}

/** In development a model may run on this machine. */
function developmentHosts(ctx: Ctx, url: URL): string[] {
  return ctx.config.MUSTER_MODE === 'development' && isLoopback(url.hostname) ? [url.host] : [];
}

function jsonOf({ body }: Fetched): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return null;
  }
}
