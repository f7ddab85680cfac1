import type { jwks } from '@muster/contracts';
import {
  collection,
  Mixed,
  nullable,
  optional,
  type RowOf,
  repository,
  required,
  type SealedSecret,
  SHARED_ORG,
  type Store,
  TOKEN_ALGORITHM,
} from '@muster/service-kit';
import type { z } from 'zod';
import type { PublicPoint } from './key.rules.ts';

/** A key pair that signs tokens; `_id` is its `kid`. Its life: published as next, active, retired. */
export const signingKeyCollection = collection({
  name: 'signing_keys',
  fields: {
    state: required<'next' | 'active' | 'retired'>(String),
    public_point: required<PublicPoint>(Mixed),
    /** PKCS #8, sealed. Erased when the key retires: what is left only verifies. */
    private_key: optional<SealedSecret>(Mixed),
    created_at: required(Date),
    activated_at: nullable(Date),
    retired_at: nullable(Date),
    /** When the last token it signed has expired. */
    keep_until: nullable(Date),
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
export type SigningKeyDoc = RowOf<typeof signingKeyCollection>;

const ofOrganization = repository(signingKeyCollection);

/** The signing keys. They are no organization's: whoever asks, they are kept under {@link SHARED_ORG}. */
export const signingKeys = ({ store }: { store: Store }) =>
  ofOrganization({ store: { ...store, org: SHARED_ORG } });

/** The key as the JWKS shows it (RFC 7517). */
export function toJwk({ _id, public_point }: SigningKeyDoc): z.output<typeof jwks>['keys'][number] {
  const { x, y } = public_point;
  return { kty: 'EC', crv: 'P-256', x, y, kid: _id, use: 'sig', alg: TOKEN_ALGORITHM };
}
