import type { Ctx } from '@muster/service-kit';
import { members } from '../members/member.model.ts';
import { tokens } from './token.model.ts';

/** A token was used with a service. */
export interface Use {
  jti: string;
  user_id: string;
  at: string;
}

/** Remembers when a token was last used and its owner last seen; what is told late moves neither back. */
export async function noteUse(ctx: Ctx, { jti, user_id, at }: Use): Promise<void> {
  const time = new Date(at);
  await tokens(ctx).updateOne({ _id: jti }, { $max: { last_used_at: time } });
  await members(ctx).updateOne({ user_id }, { $max: { last_seen_at: time } });
}
