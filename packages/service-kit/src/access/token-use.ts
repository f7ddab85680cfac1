import { tokenUsedBy } from '@muster/contracts';
import { newEvent } from '@muster/messaging';
import { LRUCache } from 'lru-cache';
import type { Actor } from '../auth/actor.ts';
import { type Runtime, transaction } from '../context.ts';

const TOLD_EVERY_MS = 60_000;
const MOST_TOKENS = 10_000;

/**
 * Tells identity that a token was used here: once a minute at most for each token, in a transaction of its own that
 * nobody waits for.
 * @param everyMs the pause between two tellings of one token
 */
export function tokenUses(
  runtime: Pick<Runtime, 'service' | 'connection' | 'messaging' | 'log'>,
  everyMs = TOLD_EVERY_MS,
) {
  const declaration = tokenUsedBy(runtime.service);
  const told = new LRUCache<string, true>({ max: MOST_TOKENS, ttl: everyMs });

  return function used({ tokenId, id, org }: Actor): void {
    if (tokenId === null || told.has(tokenId)) return;
    told.set(tokenId, true);
    const at = new Date();
    const event = newEvent(declaration, {
      org,
      subject: tokenId,
      // No version: uses have no order but their time.
      seq: Math.floor(at.getTime() / 1000),
      data: { jti: tokenId, user_id: id, at: at.toISOString() },
    });
    transaction(runtime, (session) => runtime.messaging.emit(session, [event])).catch((err: unknown) =>
      runtime.log.debug({ err }, 'the use of a token could not be told'),
    );
  };
}
