import {
  collection,
  Mixed,
  nullable,
  type RowOf,
  repository,
  required,
  type SealedSecret,
} from '@muster/service-kit';

/** A person's session in a browser; `_id` is the `jti` of its tokens. */
export const webSessionCollection = collection({
  name: 'web_sessions',
  fields: {
    user_id: required(String),
    /** SHA-256 of the secret in the cookie. */
    secret_digest: required(String),
    provider: required(String),
    created_at: required(Date),
    last_seen_at: required(Date),
    /** Whatever happens, it ends then. */
    expires_at: required(Date),
    address: nullable(String),
    user_agent: nullable(String),
    /** Where the browser ends its session with the provider; sealed, since it carries the ID token. */
    logout_url: nullable<SealedSecret>(Mixed),
  },
  indexes: [[{ org_id: 1, user_id: 1 }], [{ expires_at: 1 }, { expireAfterSeconds: 0 }]],
});
export type WebSessionDoc = RowOf<typeof webSessionCollection>;

export const webSessions = repository(webSessionCollection);
