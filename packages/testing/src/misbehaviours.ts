import type { Json } from './jws.ts';

/** What a hostile provider does otherwise than it should; nothing of it, and it is an honest one. */
export interface Misbehaviour {
  /** Laid over the ID token's claims; undefined leaves a claim out. */
  claims?: Json;
  /** How the ID token is made, unless it is signed with the published key; `none` leaves it out. */
  idToken?: 'none' | 'unsigned' | 'client-secret' | 'public-key' | 'foreign-key' | 'edited';
  /** Laid over what the callback carries: code, state and iss (RFC 9207); undefined leaves one out. */
  callback?: Record<string, string | undefined>;
  /** Laid over the discovery document. */
  discovery?: Json;
  /** What the token endpoint answers instead of tokens. */
  token?: 'error' | 'html' | 'nothing';
}

/** Misbehaviours that no login may survive, by what is wrong. */
export const MISBEHAVIOURS: Readonly<Record<string, Misbehaviour>> = {
  'another nonce': { claims: { nonce: 'another' } },
  'no nonce': { claims: { nonce: undefined } },
  'another issuer in the ID token': { claims: { iss: 'https://issuer.invalid' } },
  'no issuer in the ID token': { claims: { iss: undefined } },
  'another audience': { claims: { aud: 'another' } },
  'no audience': { claims: { aud: undefined } },
  'a second audience, and authorized for that': { claims: { aud: ['muster', 'another'], azp: 'another' } },
  'no subject': { claims: { sub: undefined } },
  'an ID token that has expired': { claims: { exp: 1 } },
  'an ID token that does not end': { claims: { exp: undefined } },
  'no ID token': { idToken: 'none' },
  'an ID token without a signature': { idToken: 'unsigned' },
  'an ID token signed with the client secret': { idToken: 'client-secret' },
  'HS256 with the public key as its secret': { idToken: 'public-key' },
  'an ID token signed with another key': { idToken: 'foreign-key' },
  'claims edited after signing': { idToken: 'edited' },
  'another state': { callback: { state: 'another' } },
  'no state': { callback: { state: undefined } },
  'another issuer in the callback': { callback: { iss: 'https://issuer.invalid' } },
  'no issuer in the callback': { callback: { iss: undefined } },
  'no code': { callback: { code: undefined } },
  'a refusal at the token endpoint': { token: 'error' },
  'a page at the token endpoint': { token: 'html' },
  'a token endpoint that hangs up': { token: 'nothing' },
};
