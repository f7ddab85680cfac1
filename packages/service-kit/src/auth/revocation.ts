import { tokenRevoked } from '@muster/contracts';
import type { Connection } from 'mongoose';
import { collection, type Stored } from '../mongo/model.ts';
import { repository } from '../mongo/repository.ts';
import { type Reaction, reaction } from '../reaction.ts';
import type { Actor } from './actor.ts';
import { unauthorized } from './token.ts';

interface RevokedToken extends Stored {
  expires_at: Date;
}

/** Each service keeps its own copy of the revoked tokens, fed by identity's events. */
export const revokedTokens = collection<RevokedToken>({
  name: 'revoked_tokens',
  fields: { expires_at: { type: Date, required: true } },
  indexes: [[{ expires_at: 1 }, { expireAfterSeconds: 0 }]],
});

const revoked = repository(revokedTokens);

/** Stores a revocation; a second delivery changes nothing. */
export const revocationReaction: Reaction = reaction(tokenRevoked, async (ctx, event) => {
  const { jti, expires_at } = event.data;
  await revoked(ctx).updateOne(
    { _id: jti },
    { $set: { expires_at: new Date(expires_at) } },
    { upsert: true },
  );
});

const REMEMBERED_MS = 2_000;
const REMEMBERED_TOKENS = 10_000;

/** Refuses revoked tokens. A token that was good is asked for again after 2 s, so that revoking works everywhere within 5 s. */
export function revocationCheck(connection: Connection) {
  const goodUntil = new Map<string, number>();

  return async function refuseRevoked(actor: Actor): Promise<void> {
    if (actor.tokenId === null) return;
    if ((goodUntil.get(actor.tokenId) ?? 0) > performance.now()) return;
    const row = await revoked({ store: { org: actor.org, connection } }).findOne({ _id: actor.tokenId });
    if (row) throw unauthorized('The token was revoked.');
    if (goodUntil.size >= REMEMBERED_TOKENS) goodUntil.clear();
    goodUntil.set(actor.tokenId, performance.now() + REMEMBERED_MS);
  };
}
