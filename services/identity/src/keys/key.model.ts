import type { jwks } from '@muster/contracts';
import {
  collection,
  Mixed,
  repository,
  type SealedSecret,
  SHARED_ORG,
  type Store,
  type Stored,
  TOKEN_ALGORITHM,
} from '@muster/service-kit';
import type { z } from 'zod';
import type { PublicPoint } from './key.rules.ts';

/** A key pair that signs tokens; `_id` is its `kid`. Its life: published as next, active, retired. */
export interface SigningKeyDoc extends Stored {
  state: 'next' | 'active' | 'retired';
  public_point: PublicPoint;
  /** PKCS #8, sealed. Erased when the key retires: what is left only verifies. */
  private_key?: SealedSecret;
  created_at: Date;
  activated_at: Date | null;
  retired_at: Date | null;
  /** When the last token it signed has expired. */
  keep_until: Date | null;
}

export const signingKeyCollection = collection<SigningKeyDoc>({
  name: 'signing_keys',
  fields: {
    state: { type: String, required: true },
    public_point: { type: Mixed, required: true },
    private_key: { type: Mixed },
    created_at: { type: Date, required: true },
    activated_at: { type: Date, default: null },
    retired_at: { type: Date, default: null },
    keep_until: { type: Date, default: null },
  },
  indexes: [
    // Of the keys that can sign there is one active and one next, whoever else is just making them.
    [
      { org_id: 1, state: 1 },
      { unique: true, partialFilterExpression: { private_key: { $exists: true } } },
    ],
    [{ keep_until: 1 }, { expireAfterSeconds: 0 }],
  ],
});

const ofOrganization = repository(signingKeyCollection);

/** The signing keys. They are no organization's: whoever asks, they are kept under {@link SHARED_ORG}. */
export const signingKeys = ({ store }: { store: Store }) =>
  ofOrganization({ store: { ...store, org: SHARED_ORG } });

/** The key as the JWKS shows it (RFC 7517). */
export function toJwk({ _id, public_point }: SigningKeyDoc): z.output<typeof jwks>['keys'][number] {
  const { x, y } = public_point;
  return { kty: 'EC', crv: 'P-256', x, y, kid: _id, use: 'sig', alg: TOKEN_ALGORITHM };
}
