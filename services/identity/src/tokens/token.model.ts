import type { ApiToken, Scope } from '@muster/contracts';
import { collection, list, nullable, type RowOf, repository, required } from '@muster/service-kit';

/** What is kept of an API token; `_id` is its `jti`. The token itself is kept nowhere. */
export const tokenCollection = collection({
  name: 'api_tokens',
  fields: {
    user_id: required(String),
    name: required(String),
    /** The API token that it was made with; it does not outlive that one. */
    made_with: nullable(String),
    scopes: list<Scope>(String),
    created_at: required(Date),
    expires_at: required(Date),
    last_used_at: nullable(Date),
    revoked_at: nullable(Date),
  },
  indexes: [
    [{ org_id: 1, user_id: 1, _id: -1 }],
    [{ org_id: 1, revoked_at: 1 }],
    [{ org_id: 1, made_with: 1 }],
  ],
});
export type TokenDoc = RowOf<typeof tokenCollection>;

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
