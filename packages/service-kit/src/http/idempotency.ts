import { createHash, hkdfSync, randomUUID } from 'node:crypto';
import { DAY_MS, roleAllows } from '@muster/contracts';
import { isDuplicateKey } from '@muster/messaging';
import type { Actor } from '../auth/actor.ts';
import type { Ctx } from '../context.ts';
import { type KeyRing, open, type SealedSecret, seal } from '../crypto/envelope.ts';
import { AppError } from '../errors.ts';
import { Mixed, nullable, required } from '../mongo/fields.ts';
import { collection } from '../mongo/model.ts';
import { repository, trusted } from '../mongo/repository.ts';

/** What was answered under a key: a finished answer, or the job that will make it. */
export interface StoredReply {
  status: number;
  headers: Record<string, string | string[]>;
  body: unknown;
  jobId?: string;
}

type Rights = Pick<Actor, 'role' | 'scopes' | 'via'>;

// Taking a claim over early is safe: finishing it is part of the command's transaction, so the slower one aborts.
const CLAIM_MS = 10_000;
const KEPT_MS = DAY_MS;

export const idempotencyKeys = collection({
  name: 'idempotency_keys',
  fields: {
    fingerprint: required(String),
    owner: required(String),
    /** What the caller's token allowed: an answer may hold what a weaker one must not see. */
    rights: required<Rights>(Mixed),
    /** While the first request runs: when its claim may be taken over, should its process have died. */
    claimed_until: required(Date),
    /** Sealed: an answer may hold what is shown once, such as a new token. */
    reply: nullable<SealedSecret>(Mixed),
    expires_at: required(Date),
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

/** The key that seals stored answers: the same in every replica, and nowhere in the database. */
export function replyRing(secret: string): KeyRing {
  return new Map([['1', Buffer.from(hkdfSync('sha256', secret, '', 'muster idempotency replies', 32))]]);
}

/**
 * Claims a key for this request, or gives back what was answered under it.
 * Raises `idempotency-key-reused` (another request, or one by a token that may do less) or `in-progress` (the first is still running).
 */
export async function claimKey(
  ctx: Ctx,
  ring: KeyRing,
  request: { key: string; fingerprint: string },
): Promise<Claim | StoredReply> {
  const { key, fingerprint } = request;
  const _id = createHash('sha256').update(`${ctx.org}\n${ctx.actor.id}\n${key}`).digest('base64url');
  const owner = randomUUID();
  const now = Date.now();
  const claimed_until = new Date(now + CLAIM_MS);
  try {
    await keys(ctx).insert({
      _id,
      fingerprint,
      owner,
      rights: { role: ctx.actor.role, scopes: ctx.actor.scopes, via: ctx.actor.via },
      claimed_until,
      reply: null,
      expires_at: new Date(now + KEPT_MS),
    });
    return claim(ctx, ring, { _id, owner });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  const row = await keys(ctx).findOne({ _id });
  if (row && row.fingerprint !== fingerprint) {
    throw new AppError('idempotency-key-reused', 'This key was used for another request: send a new key.');
  }
  if (row && !covers(ctx.actor, row.rights)) {
    throw new AppError(
      'idempotency-key-reused',
      'This key was used with a token that may do more: send a new key, or that token.',
    );
  }
  if (row?.reply) return JSON.parse(open(ring, _id, row.reply)) as StoredReply;
  const dead = { _id, owner: row?.owner ?? '', reply: null, claimed_until: trusted({ $lt: new Date(now) }) };
  if (row && (await keys(ctx).updateOne(dead, { $set: { owner, claimed_until } })))
    return claim(ctx, ring, { _id, owner });
  throw new AppError(
    'in-progress',
    'The first request with this key is still running: ask again in a moment.',
    {
      headers: { 'retry-after': '1' },
    },
  );
}

/** Whether an actor may do all that the rights allow. */
function covers(actor: Rights, rights: Rights | undefined): boolean {
  if (rights === undefined) return false;
  const asDirect = actor.via === rights.via || rights.via === 'api_token';
  return (
    asDirect &&
    roleAllows(actor.role, rights.role) &&
    rights.scopes.every((scope) => actor.scopes.includes(scope))
  );
}

function claim(outside: Ctx, ring: KeyRing, row: { _id: string; owner: string }): Claim {
  const unfinished = { ...row, reply: null };
  return {
    async finish(ctx, reply) {
      const sealed = seal(ring, row._id, JSON.stringify(reply));
      if (await keys(ctx).updateOne(unfinished, { $set: { reply: sealed } })) return;
      throw new AppError('in-progress', 'Another request with this key has taken over.');
    },
    async release() {
      await keys(outside).deleteOne(unfinished);
    },
  };
}
