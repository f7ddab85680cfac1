import { randomBytes } from 'node:crypto';
import {
  type Configuration,
  interactionPolicy,
  type JWK,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider';
import type { ProviderConfig } from './config.ts';
import { messagePage, type Page, signOutPage } from './page.ts';
import { memoryStore } from './store.ts';

/** How Muster is called on the sign-in page. */
export const CLIENT_NAME = 'Muster';
/** Where people choose whom to sign in as; the interaction's id follows. */
export const SIGN_IN_PATH = '/sign-in/';

const HOUR_S = 3600;
const SCOPES = 'openid profile email';

/**
 * An OpenID provider for one client: code flow with PKCE (S256), consent given by itself, RP-initiated logout.
 * @param key signs the ID tokens
 */
export function providerOf(config: ProviderConfig, key: JWK): Provider {
  return new Provider(config.ISSUER, {
    adapter: memoryStore(),
    jwks: { keys: [key] },
    enabledJWA: { idTokenSigningAlgValues: ['RS256'] },
    clients: [client(config)],
    responseTypes: ['code'],
    pkce: { required: () => true },
    scopes: SCOPES.split(' '),
    claims: { openid: ['sub', 'tid', 'oid'], profile: ['name'], email: ['email', 'email_verified'] },
    // The e-mail and whether it is verified are to come from one document, the ID token.
    conformIdTokenClaims: false,
    cookies: cookies(config.ISSUER),
    clientBasedCORS: () => false,
    ttl: {
      AccessToken: HOUR_S,
      AuthorizationCode: 60,
      Grant: 14 * 24 * HOUR_S,
      IdToken: HOUR_S,
      Interaction: HOUR_S,
      Session: 14 * 24 * HOUR_S,
    },
    findAccount: (_context, sub) => account(config, sub),
    ...consent(),
    ...pages(config.NAME),
  });
}

function client(config: ProviderConfig) {
  return {
    client_id: config.CLIENT_ID,
    client_secret: config.CLIENT_SECRET,
    client_name: CLIENT_NAME,
    redirect_uris: config.REDIRECT_URIS,
    post_logout_redirect_uris: config.POST_LOGOUT_REDIRECT_URIS,
    response_types: ['code' as const],
    grant_types: ['authorization_code'],
  };
}

/** Browsers do not keep ports apart: two providers and the product on one host must not share names. */
function cookies(issuer: string): Configuration['cookies'] {
  const prefix = `demo_provider_${new URL(issuer).port}`;
  return {
    keys: [randomBytes(32)],
    names: { session: prefix, interaction: `${prefix}_sign_in`, resume: `${prefix}_resume` },
  };
}

function account({ PEOPLE }: ProviderConfig, sub: string) {
  const person = PEOPLE.find((candidate) => candidate.sub === sub);
  return person && { accountId: sub, claims: () => ({ ...person }) };
}

function consent(): Pick<Configuration, 'interactions' | 'loadExistingGrant'> {
  const policy = interactionPolicy.base();
  policy.remove('consent');
  return {
    interactions: { policy, url: (_context, { uid }) => `${SIGN_IN_PATH}${uid}` },
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId,
        accountId: oidc.session?.accountId,
      });
      grant.addOIDCScope(SCOPES);
      await grant.save();
      return grant;
    },
  };
}

function pages(name: string): Pick<Configuration, 'features' | 'renderError'> {
  return {
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context, form) => show(context, signOutPage(name, form)),
        postLogoutSuccessSource: (context) =>
          show(context, messagePage(name, 'You are signed out', 'You can close this page.')),
      },
    },
    renderError: (context, { error, error_description: reason }) =>
      show(context, messagePage(name, 'This did not work', `${reason ?? error}. Go back and try again.`)),
  };
}

function show(context: KoaContextWithOIDC, { html, contentSecurityPolicy }: Page): void {
  context.type = 'html';
  context.set('content-security-policy', contentSecurityPolicy);
  context.body = html;
}
