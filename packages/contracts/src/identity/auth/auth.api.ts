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

const params = z.object({ id });

export const identityApi = api({
  service: 'identity',
  tag: 'Auth',
  endpoints: {
    getMe: endpoint({
      method: 'GET',
      path: '/auth/me',
      summary: 'Get the current user',
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
      role: 'public',
      responses: { 200: jwks },
    }),
    readStanding: endpoint({
      method: 'POST',
      path: '/internal/standings/',
      summary: 'What somebody may do, for a service that was told nothing of them yet',
      role: 'public',
      internal: true,
      body: standingInput,
      responses: { 200: standing },
    }),
    listTokens: endpoint({
      method: 'GET',
      path: '/auth/tokens/',
      summary: 'List your API tokens',
      role: 'viewer',
      scope: 'tokens:write',
      query: z.strictObject(page),
      responses: { 200: listOf(apiToken) },
    }),
    getToken: endpoint({
      method: 'GET',
      path: '/auth/tokens/{id}/',
      summary: 'Return one of your API tokens, without its secret',
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
      role: 'viewer',
      scope: 'tokens:write',
      params,
      responses: { 204: null },
    }),
  },
});
