import { createHash, randomUUID } from 'node:crypto';
import type { Ctx } from '../context.ts';
import { AppError, isDuplicateKey } from '../errors.ts';
import { collection, Mixed, type Stored } from '../mongo/model.ts';
import { repository, trusted } from '../mongo/repository.ts';

/** What was answered under a key: a finished answer, or the job that will make it. */
export interface StoredReply {
  status: number;
  headers: Record<string, string>;
  body: unknown;
  jobId?: string;
}

interface IdempotencyRow extends Stored {
  fingerprint: string;
  owner: string;
  /** While the first request runs: when its claim may be taken over, should its process have died. */
  claimed_until: Date;
  reply: StoredReply | null;
  expires_at: Date;
}

const CLAIM_MS = 35_000;
const KEPT_MS = 24 * 60 * 60_000;

export const idempotencyKeys = collection<IdempotencyRow>({
  name: 'idempotency_keys',
  fields: {
    fingerprint: { type: String, required: true },
    owner: { type: String, required: true },
    claimed_until: { type: Date, required: true },
    reply: { type: Mixed, default: null },
    expires_at: { type: Date, required: true },
  },
  indexes: [[{ expires_at: 1 }, { expireAfterSeconds: 0 }]],
});

const keys = repository(idempotencyKeys);

/** A claim on a key: finish it inside the command's transaction, or release it when the command failed. */
export interface Claim {
  /** Stores the answer; raises when another request took the claim over, which aborts the transaction. */
  finish(ctx: Ctx, reply: StoredReply): Promise<void>;
  release(): Promise<void>;
}

/** What tells one request from another: method, address and body. */
export function fingerprintOf(method: string, url: string, body: Buffer): string {
  return createHash('sha256').update(`${method} ${url}\n`).update(body).digest('base64url');
}

/**
 * Claims a key for this request, or gives back what was answered under it.
 * Raises `idempotency-key-reused` (another request) or `in-progress` (the first is still running).
 */
export async function claimKey(ctx: Ctx, key: string, fingerprint: string): Promise<Claim | StoredReply> {
  const _id = createHash('sha256').update(`${ctx.org}\n${ctx.actor.id}\n${key}`).digest('base64url');
  const owner = randomUUID();
  const now = Date.now();
  const claimed_until = new Date(now + CLAIM_MS);
  try {
    await keys(ctx).insert({
      _id,
      fingerprint,
      owner,
      claimed_until,
      reply: null,
      expires_at: new Date(now + KEPT_MS),
    });
    return claim(ctx, _id, owner);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  const row = await keys(ctx).findOne({ _id });
  if (row && row.fingerprint !== fingerprint) {
    throw new AppError('idempotency-key-reused', 'This key was used for another request: send a new key.');
  }
  if (row?.reply) return row.reply;
  const dead = { _id, owner: row?.owner ?? '', reply: null, claimed_until: trusted({ $lt: new Date(now) }) };
  if (row && (await keys(ctx).updateOne(dead, { $set: { owner, claimed_until } })))
    return claim(ctx, _id, owner);
  throw new AppError(
    'in-progress',
    'The first request with this key is still running: ask again in a moment.',
    {
      headers: { 'retry-after': '1' },
    },
  );
}

function claim(outside: Ctx, _id: string, owner: string): Claim {
  return {
    async finish(ctx, reply) {
      if (await keys(ctx).updateOne({ _id, owner, reply: null }, { $set: { reply } })) return;
      throw new AppError('in-progress', 'Another request with this key has taken over.');
    },
    async release() {
      await keys(outside).deleteOne({ _id, owner, reply: null });
    },
  };
}
