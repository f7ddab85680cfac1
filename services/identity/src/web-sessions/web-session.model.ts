import { collection, Mixed, repository, type SealedSecret, type Stored } from '@muster/service-kit';

/** A person's session in a browser; `_id` is the `jti` of its tokens. */
export interface WebSessionDoc extends Stored {
  user_id: string;
  /** SHA-256 of the secret in the cookie. */
  secret_digest: string;
  provider: string;
  created_at: Date;
  last_seen_at: Date;
  /** Whatever happens, it ends then. */
  expires_at: Date;
  address: string | null;
  user_agent: string | null;
  /** Where the browser ends its session with the provider; sealed, since it carries the ID token. */
  logout_url: SealedSecret | null;
}

export const webSessionCollection = collection<WebSessionDoc>({
  name: 'web_sessions',
  fields: {
    user_id: { type: String, required: true },
    secret_digest: { type: String, required: true },
    provider: { type: String, required: true },
    created_at: { type: Date, required: true },
    last_seen_at: { type: Date, required: true },
    expires_at: { type: Date, required: true },
    address: { type: String, default: null },
    user_agent: { type: String, default: null },
    logout_url: { type: Mixed, default: null },
  },
  indexes: [[{ org_id: 1, user_id: 1 }], [{ expires_at: 1 }, { expireAfterSeconds: 0 }]],
});

export const webSessions = repository(webSessionCollection);
