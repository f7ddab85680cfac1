import { isLoopback } from '@muster/service-kit';
import * as oidc from 'openid-client';
import { LoginRefusal } from '../login/refusal.rules.ts';
import { fetchFromProvider } from './fetch.service.ts';
import type { ProviderSettings } from './provider.variables.ts';

const SCOPE = 'openid email profile';
const TIMEOUT_S = 5;
const FRESH_MS = 60 * 60_000;
/** These know the prompt `select_account`: whoever was refused with one account can choose another. */
const ACCOUNT_CHOOSERS = new Set(['accounts.google.com', 'login.microsoftonline.com']);

/** What only the one who began a login knows of it. */
export interface Proof {
  state: string;
  nonce: string;
  verifier: string;
}

/** What a provider says of the person who signed in. */
export interface Answer {
  /** Claims of the ID token, verified. */
  token: oidc.IDToken;
  /** Claims of UserInfo, asked only where the ID token names no e-mail. */
  userInfo: oidc.UserInfoResponse | null;
  /** Where the browser ends its session with the provider too, if the provider offers it. */
  logoutUrl: string | null;
}

interface Discovery {
  client: oidc.Configuration;
  learnedAt: number;
}
const discoveries = new WeakMap<ProviderSettings, Discovery>();
const underway = new WeakMap<ProviderSettings, Promise<oidc.Configuration>>();

/**
 * The address of the provider to send a browser to (code flow, PKCE S256).
 * @throws LoginRefusal when the provider cannot be reached
 */
export async function authorizationUrl(
  provider: ProviderSettings,
  callback: URL,
  { state, nonce, verifier }: Proof,
): Promise<string> {
  const client = await clientOf(provider);
  const url = oidc.buildAuthorizationUrl(client, {
    redirect_uri: callback.href,
    scope: SCOPE,
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(ACCOUNT_CHOOSERS.has(provider.issuer.hostname) && { prompt: 'select_account' }),
  });
  return url.href;
}

export function newProof(): Proof {
  return { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() };
}

/**
 * Exchanges what the browser brought back for what the provider says of the person.
 * @param current the callback as it was called, on our own origin
 * @param home where the provider leads after a logout
 * @throws LoginRefusal when the provider refused, cannot be reached, or anything in its answer does not fit
 */
export async function redeem(
  provider: ProviderSettings,
  current: URL,
  proof: Proof,
  home: string,
): Promise<Answer> {
  const client = await clientOf(provider);
  try {
    const tokens = await oidc.authorizationCodeGrant(client, current, {
      expectedState: proof.state,
      expectedNonce: proof.nonce,
      pkceCodeVerifier: proof.verifier,
      idTokenExpected: true,
    });
    const token = tokens.claims();
    if (!token || !tokens.id_token) throw new LoginRefusal('provider-answer', 'no-id-token');
    const asks = token.email === undefined && client.serverMetadata().userinfo_endpoint !== undefined;
    const userInfo = asks ? await oidc.fetchUserInfo(client, tokens.access_token, token.sub) : null;
    return { token, userInfo, logoutUrl: logoutUrl(client, tokens.id_token, home) };
  } catch (error) {
    throw refusalOf(error);
  }
}

function logoutUrl(client: oidc.Configuration, idToken: string, home: string): string | null {
  if (!client.serverMetadata().end_session_endpoint) return null;
  return oidc.buildEndSessionUrl(client, { id_token_hint: idToken, post_logout_redirect_uri: home }).href;
}

/** The provider's metadata, learned once an hour; what is known already is good while the provider is away. */
async function clientOf(provider: ProviderSettings): Promise<oidc.Configuration> {
  const kept = discoveries.get(provider);
  if (kept && performance.now() - kept.learnedAt < FRESH_MS) return kept.client;
  const asked = underway.get(provider) ?? learn(provider);
  underway.set(provider, asked);
  try {
    return await asked;
  } catch (error) {
    if (kept) return kept.client;
    throw new LoginRefusal('provider-unreachable', codeOf(error));
  } finally {
    underway.delete(provider);
  }
}

async function learn(provider: ProviderSettings): Promise<oidc.Configuration> {
  const { issuer, clientId, clientSecret } = provider;
  const checked = [oidc.enableNonRepudiationChecks];
  // The configuration lets http through on loopback in development only.
  const client = await oidc.discovery(issuer, clientId, undefined, authentication(clientSecret), {
    timeout: TIMEOUT_S,
    [oidc.customFetch]: (url, init) => fetchFromProvider(url, init as RequestInit),
    execute: isLoopback(issuer.hostname) ? [...checked, oidc.allowInsecureRequests] : checked,
  });
  discoveries.set(provider, { client, learnedAt: performance.now() });
  return client;
}

/** In the body, as Google, Microsoft and most others take it, else in the header, which is OpenID's default. */
function authentication(secret: string): oidc.ClientAuth {
  const [inBody, inHeader] = [oidc.ClientSecretPost(secret), oidc.ClientSecretBasic(secret)];
  return (server, ...rest) => {
    const supported = server.token_endpoint_auth_methods_supported;
    (supported?.includes('client_secret_post') ? inBody : inHeader)(server, ...rest);
  };
}

const CANCELLATIONS = new Set([
  'access_denied',
  'login_required',
  'interaction_required',
  'consent_required',
]);

function refusalOf(error: unknown): LoginRefusal {
  if (error instanceof LoginRefusal) return error;
  if (error instanceof oidc.AuthorizationResponseError)
    return new LoginRefusal(
      CANCELLATIONS.has(error.error) ? 'given-up' : 'provider-error',
      word(error.error),
    );
  const code = codeOf(error);
  const away = error instanceof TypeError || code === 'OAUTH_TIMEOUT';
  return new LoginRefusal(away ? 'provider-unreachable' : 'provider-answer', code);
}

/** What the log may say of an error: a word, never a message, which may quote an answer. */
function codeOf(error: unknown): string {
  if (error instanceof oidc.ResponseBodyError) return word(error.error);
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (typeof code === 'string') return word(code);
  return cause instanceof Object ? codeOf(cause) : 'unknown';
}

const word = (text: string) => (/^[\w.-]{1,60}$/.test(text) ? text : 'unreadable');
