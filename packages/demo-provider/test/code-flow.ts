import { createHash, randomBytes } from 'node:crypto';
import type { TestProvider } from '../../testing/src/index.ts';

export const CALLBACK = 'http://127.0.0.1:9/auth/provider-a/callback';
export const AFTER_LOGOUT = 'http://127.0.0.1:9/';

/** A client's side of one login, by hand. */
export interface Attempt {
  url: URL;
  verifier: string;
  state: string;
  nonce: string;
}

/** Begins a login; parameters may be replaced, or left out by an empty value. */
export function attempt({ issuer, clientId }: TestProvider, changes: Record<string, string> = {}): Attempt {
  const [verifier, state, nonce] = [random(), random(), random()];
  const url = new URL(`${issuer}/auth`);
  const parameters = {
    client_id: clientId,
    response_type: 'code',
    scope: 'openid profile email',
    redirect_uri: CALLBACK,
    state,
    nonce,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  };
  for (const [name, value] of Object.entries(parameters)) if (value) url.searchParams.set(name, value);
  return { url, verifier, state, nonce };
}

/** Takes the callback's code to the token endpoint; fields of the form may be replaced. */
export async function redeem(
  { issuer, clientId, clientSecret }: TestProvider,
  callback: string,
  { verifier }: Attempt,
  changes: Record<string, string> = {},
) {
  const code = new URL(callback).searchParams.get('code') ?? '';
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    code_verifier: verifier,
    client_id: clientId,
    client_secret: clientSecret,
    ...changes,
  });
  const answer = await fetch(`${issuer}/token`, { method: 'POST', body });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const random = () => randomBytes(32).toString('base64url');
