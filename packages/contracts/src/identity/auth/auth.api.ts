import { z } from 'zod';
import { api, endpoint } from '../../core/endpoint.ts';
import { listOf, page } from '../../core/lists.ts';
import { id } from '../../core/primitives.ts';
import {
  apiToken,
  createdToken,
  ipInput,
  jwks,
  me,
  registeredIp,
  standing,
  standingInput,
  tokenInput,
} from './auth.schemas.ts';

const params = z.object({ id: id.meta({ description: 'id of the token' }) });

export const identityApi = api({
  service: 'identity',
  tag: 'Auth',
  about: 'Who the caller is, and the API tokens of tools.',
  endpoints: {
    getMe: endpoint({
      method: 'GET',
      path: '/auth/me',
      summary: 'Get the current user',
      description:
        'Who the caller is, in which organization, with which role and scopes, and until when this session or token holds.',
      role: 'viewer',
      responses: { 200: me },
    }),
    updateIp: endpoint({
      method: 'POST',
      path: '/auth/update-ip',
      summary: 'Self-service IP update',
      description:
        'Registers the address that your tokens work from where the organization asks for it. A web session may, or an API token that was asked the scope `ip:write` for: a stolen token does not move the address.',
      role: 'viewer',
      scope: 'ip:write',
      anyAddress: true,
      body: ipInput,
      responses: { 200: registeredIp },
    }),
    getJwks: endpoint({
      method: 'GET',
      path: '/.well-known/jwks.json',
      summary: 'The public keys that verify tokens',
      description:
        'The current keys and those that still verify unexpired tokens, as a JSON Web Key Set. Take keys by `kid` and follow `Cache-Control`: keys rotate.',
      role: 'public',
      responses: { 200: jwks },
    }),
    readStanding: endpoint({
      method: 'POST',
      path: '/internal/standings/',
      summary: 'What somebody may do, for a service that was told nothing of them yet',
      description: 'For services: the proof is made from the secret that they share.',
      role: 'public',
      internal: true,
      body: standingInput,
      responses: { 200: standing },
    }),
    listTokens: endpoint({
      method: 'GET',
      path: '/auth/tokens/',
      summary: 'List your API tokens',
      description:
        'Your own, newest first, with scopes, expiry and when each was used last; the secret part is never shown again.',
      role: 'viewer',
      scope: 'tokens:write',
      query: z.strictObject(page),
      responses: { 200: listOf(apiToken) },
    }),
    getToken: endpoint({
      method: 'GET',
      path: '/auth/tokens/{id}/',
      summary: 'Return one of your API tokens, without its secret',
      description: 'Its name, scopes, expiry and last use. A token of somebody else is 404.',
      role: 'viewer',
      scope: 'tokens:write',
      params,
      responses: { 200: apiToken },
    }),
    createToken: endpoint({
      method: 'POST',
      path: '/auth/tokens/',
      summary: 'Create an API token; the token is shown once',
      description:
        'Without `scopes` it only reads. It lives for `expires_in_days` (90 unless said otherwise, and no longer than the organization allows); one that is made with an API token ends with that one.',
      role: 'viewer',
      scope: 'tokens:write',
      body: tokenInput,
      responses: { 201: createdToken },
    }),
    revokeToken: endpoint({
      method: 'DELETE',
      path: '/auth/tokens/{id}',
      summary: 'Revoke an API token everywhere',
      description:
        'Worthless everywhere within five seconds; open event streams of it end. 404 where you have none of this id.',
      role: 'viewer',
      scope: 'tokens:write',
      params,
      responses: { 204: null },
    }),
  },
});
