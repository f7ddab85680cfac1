import { z } from 'zod';
import { api, endpoint } from '../../core/endpoint.ts';
import { type ProviderId, sessionToken } from './login.schemas.ts';

const htmlPage = z.string().meta({ example: '<!doctype html>…' });

const loginQuery = z.object({
  return_to: z
    .string()
    .max(2000)
    .optional()
    .meta({ description: 'where to go afterwards: a path of this site' }),
  invite: z.string().max(200).optional().meta({ description: 'the token of an invitation' }),
  setup: z.string().max(200).optional().meta({ description: 'the token of the setup link' }),
});

/** What a provider may send back; it may add more. */
const callbackQuery = z.looseObject({
  code: z.string().max(4000).optional().meta({ description: 'what the tokens are asked with' }),
  state: z.string().max(500).optional().meta({ description: 'as the login gave it to the provider' }),
  error: z.string().max(500).optional().meta({ description: 'why the provider refused' }),
});

/** The two endpoints of one provider. */
function loginAt<Id extends ProviderId>(provider: Id) {
  return {
    login: endpoint({
      method: 'GET',
      path: `/auth/${provider}/login`,
      summary: `Start the OAuth login with ${provider}`,
      description:
        'Redirects the browser to the provider with a state, a nonce and PKCE; afterwards it comes back to `return_to`, an address of this site. A provider that is not set up or does not answer gives a page that says so.',
      role: 'public',
      query: loginQuery,
      produces: 'text/html',
      responses: { 302: null, 400: htmlPage, 403: htmlPage },
    }),
    callback: endpoint({
      method: 'GET',
      path: `/auth/${provider}/callback`,
      summary: `OAuth callback for ${provider}`,
      description:
        "Where the provider sends the browser. State, nonce and the code's verifier are checked, the web session begins, and the browser goes on to where it started from. What fails gives a page with a plain reason and changes nothing.",
      role: 'public',
      query: callbackQuery,
      produces: 'text/html',
      responses: { 302: null, 400: htmlPage, 401: htmlPage, 403: htmlPage },
    }),
  };
}

const a = loginAt('provider-a');
const b = loginAt('provider-b');

const token = z.object({ token: z.string().min(1).max(200).meta({ description: 'from the link' }) });

export const loginApi = api({
  service: 'identity',
  tag: 'Login',
  about: 'Signing in with an OpenID provider, and pages for people who were invited.',
  endpoints: {
    loginWithA: a.login,
    callbackFromA: a.callback,
    loginWithB: b.login,
    callbackFromB: b.callback,
    chooseProvider: endpoint({
      method: 'GET',
      path: '/auth/login',
      summary: 'A page to choose the provider to sign in with',
      description: 'A page with a button for each provider of this deployment.',
      role: 'public',
      query: loginQuery.pick({ return_to: true }),
      produces: 'text/html',
      responses: { 200: htmlPage },
    }),
    showInvite: endpoint({
      method: 'GET',
      path: '/auth/invite',
      summary: 'The page behind the link of an invitation',
      description:
        'Says who invites whom to what, and offers the providers to sign in with. An invitation that was used, renewed or has ended says so.',
      role: 'public',
      query: token,
      produces: 'text/html',
      responses: { 200: htmlPage, 403: htmlPage },
    }),
    showSetup: endpoint({
      method: 'GET',
      path: '/auth/setup',
      summary: 'The page behind the setup link, where the first owner signs in',
      description:
        'Of a new production installation: the link stands in the log and holds until there is an owner.',
      role: 'public',
      query: token,
      produces: 'text/html',
      responses: { 200: htmlPage, 403: htmlPage },
    }),
    logout: endpoint({
      method: 'POST',
      path: '/auth/logout',
      summary: 'End the web session',
      description:
        'Where the provider offers it, `provider_logout_url` is where the browser ends its session there too.',
      role: 'viewer',
      responses: {
        200: z
          .object({ provider_logout_url: z.string().nullable() })
          .meta({ id: 'LoggedOut', example: { provider_logout_url: null } }),
      },
    }),
    exchangeSession: endpoint({
      method: 'POST',
      path: '/internal/session-tokens/',
      summary: 'Exchange the cookie of a web session for a token of a few minutes',
      description: 'For the gateway: the cookie of a web session for the token that services verify.',
      role: 'public',
      internal: true,
      body: z
        .strictObject({ cookie: z.string().min(1).max(500) })
        .meta({ id: 'SessionCookie', example: { cookie: '<organization>.<session>.<secret>' } }),
      responses: { 200: sessionToken },
    }),
  },
});
