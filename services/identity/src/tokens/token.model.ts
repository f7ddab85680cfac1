import type { ApiToken, Scope } from '@muster/contracts';
import { collection, repository, type Stored } from '@muster/service-kit';

/** What is kept of an API token; `_id` is its `jti`. The token itself is kept nowhere. */
export interface TokenDoc extends Stored {
  user_id: string;
  name: string;
  /** The API token that it was made with; it does not outlive that one. */
  made_with: string | null;
  scopes: Scope[];
  created_at: Date;
  expires_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
}

export const tokenCollection = collection<TokenDoc>({
  name: 'api_tokens',
  fields: {
    user_id: { type: String, required: true },
    name: { type: String, required: true },
    made_with: { type: String, default: null },
    scopes: { type: [String], required: true },
    created_at: { type: Date, required: true },
    expires_at: { type: Date, required: true },
    last_used_at: { type: Date, default: null },
    revoked_at: { type: Date, default: null },
  },
  indexes: [
    [{ org_id: 1, user_id: 1, _id: -1 }],
    [{ org_id: 1, revoked_at: 1 }],
    [{ org_id: 1, made_with: 1 }],
  ],
});

export const tokens = repository(tokenCollection);

export function toToken(doc: TokenDoc): ApiToken {
  return {
    id: doc._id,
    name: doc.name,
    scopes: doc.scopes,
    created_at: doc.created_at.toISOString(),
    expires_at: doc.expires_at.toISOString(),
    last_used_at: doc.last_used_at?.toISOString() ?? null,
    revoked_at: doc.revoked_at?.toISOString() ?? null,
  };
}
