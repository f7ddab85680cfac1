import type { Engine, SettingsFacts } from '@muster/contracts';
import { v7 } from 'uuid';
import { declaredVariables } from '../config.ts';
import type { Ctx } from '../context.ts';
import { guardedFetcher } from '../egress/fetch.ts';
import { AppError } from '../errors.ts';
import { isLoopback } from '../loopback.ts';
import { openSetting } from '../settings/secrets.ts';
import { settingsOf } from '../settings/settings.ts';
import { type Budget, monthlyBudget } from './budget.ts';
import { aiCalls } from './calls.ts';
import { aiVariables, type ModelPrices } from './variables.ts';

type AiSettings = SettingsFacts['ai'];
type Fetch = typeof globalThis.fetch;

/** What `createAi` of `@muster/ai` is given; the kit does not lean on it. */
interface EngineParts {
  settings:
    | { provider: 'rules' }
    | (Omit<AiSettings, 'api_key'> & { api_key: string | null; prices: ModelPrices });
  fetch?: Fetch;
}

/** What every answer of an engine says beside its result. */
interface Answered {
  engine: Engine & { kind: 'rules' | 'llm' };
  usage: { input_tokens: number; output_tokens: number; cost_usd: number | null };
}

type Ask<Ai, Outcome> = (ai: Ai, options: { signal?: AbortSignal; budget?: Budget }) => Promise<Outcome>;

/** The setting that holds the key, sealed. */
const API_KEY = 'ai.api_key';

/**
 * Gives what does one job by the engine that the organization has set, within its month's budget, and records the call.
 * It always answers: what goes wrong with a model ends in rules, marked `degraded` with the reason. It raises only what
 * `ctx.signal` was aborted with. The service has `aiVariables` and `aiCollections`.
 * @param create `createAi` of `@muster/ai`
 */
export function asking<Ai>(create: (parts: EngineParts) => Ai) {
  /** @param job what is recorded as the call's job, such as `evaluate-session` */
  return async <Outcome extends Answered>(ctx: Ctx, job: string, ask: Ask<Ai, Outcome>): Promise<Outcome> => {
    const { ai: settings } = await settingsOf(ctx);
    const began = performance.now();
    const outcome = await asked(ctx, settings, { create, ask });
    const { engine, usage } = outcome;
    await aiCalls(ctx).insert({
      _id: v7(),
      job,
      engine: engine.kind,
      model: settings.provider === 'rules' ? null : settings.model,
      ...usage,
      ms: Math.round(performance.now() - began),
      degraded: engine.degraded ? (engine.reason ?? '') : null,
      at: new Date(),
    });
    return outcome;
  };
}

async function asked<Ai, Outcome extends Answered>(
  ctx: Ctx,
  { api_key: sealed, ...settings }: AiSettings,
  { create, ask }: { create: (parts: EngineParts) => Ai; ask: Ask<Ai, Outcome> },
): Promise<Outcome> {
  const api_key = keyOf(ctx, sealed);
  if (api_key === undefined)
    return degraded(
      await ask(create({ settings: { provider: 'rules' } }), {}),
      'the stored API key cannot be opened any more: set it again',
    );
  const reached = guarded(ctx, settings);
  const ai = create({
    settings: { ...settings, api_key, prices: declaredVariables(ctx, aiVariables).AI_PRICES },
    fetch: reached.fetch,
  });
  const budget = monthlyBudget(ctx, settings.monthly_tokens, new Date());
  const outcome = await ask(ai, { signal: ctx.signal, budget });
  const refused = outcome.engine.degraded ? reached.refused() : null;
  return refused ? degraded(outcome, `the model could not be asked: ${refused}`) : outcome;
}

/** The key in the clear, null where none is stored, undefined where its key-encryption key is gone. */
function keyOf(ctx: Ctx, sealed: AiSettings['api_key']): string | null | undefined {
  try {
    return sealed && openSetting(ctx, API_KEY, sealed);
  } catch {
    return undefined;
  }
}

function degraded<Outcome extends Answered>(outcome: Outcome, why: string): Outcome {
  const reason = `By rule, since ${why.replace(/\.$/, '')}.`;
  return { ...outcome, engine: { ...outcome.engine, degraded: true, reason } };
}

/** The guarded fetch, which remembers in words why an address was not called. */
function guarded(ctx: Ctx, settings: Omit<AiSettings, 'api_key'>) {
  let refusal: string | null = null;
  const allow = [
    ...declaredVariables(ctx, aiVariables).AI_ALLOW_HOSTS.allow,
    ...developmentHosts(ctx, settings),
  ];
  const call = guardedFetcher({ policy: { allow }, timeoutMs: settings.timeout_ms, maxRedirects: 0 });
  const fetch: Fetch = async (input, init) => {
    try {
      return await call(input, init);
    } catch (error) {
      if (error instanceof AppError) refusal = error.message;
      throw error;
    }
  };
  return { fetch, refused: () => refusal };
}

/** In development a model may run on this machine. */
function developmentHosts({ config }: Ctx, { base_url }: Omit<AiSettings, 'api_key'>): string[] {
  if (config.MUSTER_MODE !== 'development' || base_url === null) return [];
  const { hostname, host } = new URL(base_url);
  return isLoopback(hostname) ? [host] : [];
}
