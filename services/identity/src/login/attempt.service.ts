import { createHash } from 'node:crypto';
import { PROVIDERS, sealedSecret } from '@muster/contracts';
import { AppError, type Ctx, open, seal } from '@muster/service-kit';
import { Redis } from 'ioredis';
import type { Connection } from 'mongoose';
import { z } from 'zod';
import { config } from '../config.ts';
import { LOGIN_SECONDS } from './login.rules.ts';

/** What is kept of a login between its start and the provider's answer. */
const attempt = z.object({
  provider: z.enum(PROVIDERS),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
  invite: z.string().optional(),
  setup: z.string().optional(),
});
export type Attempt = z.output<typeof attempt>;

/** What both sides of a login know: the state travels by the provider, the browser's secret does not. */
export interface AttemptKey {
  state: string;
  browser: string;
}

/** Keeps an attempt for ten minutes. Raises `unavailable` when Redis is away. */
export async function keepAttempt(ctx: Ctx, key: AttemptKey, kept: Attempt): Promise<void> {
  const name = nameOf(ctx, key);
  const sealed = seal(config(ctx).KEY_ENCRYPTION_KEY, name, JSON.stringify(kept));
  await asked(redisOf(ctx).set(name, JSON.stringify(sealed), 'EX', LOGIN_SECONDS));
}

/**
 * Takes the attempt that belongs to this state and this browser, once: null when there is none, when it has expired,
 * was taken before, or belongs to another browser. Raises `unavailable` when Redis is away.
 */
export async function takeAttempt(ctx: Ctx, key: AttemptKey): Promise<Attempt | null> {
  const name = nameOf(ctx, key);
  const found = await asked(redisOf(ctx).getdel(name));
  if (found === null) return null;
  const sealed = sealedSecret.parse(JSON.parse(found));
  const ring = config(ctx).KEY_ENCRYPTION_KEY;
  return ring.has(sealed.key_id) ? attempt.parse(JSON.parse(open(ring, name, sealed))) : null;
}

/** Only who knows both finds it, so nobody can take another browser's attempt away either. */
function nameOf(ctx: Ctx, { state, browser }: AttemptKey): string {
  const digest = createHash('sha256').update(`${browser}\0${state}`).digest('base64url');
  return `${ctx.config.REDIS_PREFIX}:login:${digest}`;
}

const clients = new WeakMap<Connection, Redis>();

/** One connection for as long as the service runs. */
function redisOf(ctx: Ctx): Redis {
  const kept = clients.get(ctx.store.connection);
  if (kept) return kept;
  const client = new Redis(ctx.config.REDIS_URL, {
    connectTimeout: 3_000,
    commandTimeout: 3_000,
    maxRetriesPerRequest: 1,
  });
  client.on('error', (err) => ctx.log.debug({ err }, 'Redis is away'));
  ctx.store.connection.once('close', () => client.disconnect());
  clients.set(ctx.store.connection, client);
  return client;
}

async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    const detail = 'Nobody can sign in right now: try again in a moment.';
    throw new AppError('unavailable', detail, { headers: { 'retry-after': '2' }, cause });
  }
}
