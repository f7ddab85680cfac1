import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Endpoint } from '@muster/contracts';
import { ask } from '@muster/testing';
import { isAcceptable } from '../src/upstreams/exchange.ts';
import { PRODUCTION, type Stand, startStand } from './stand.ts';
import { startIdentity } from './upstream.ts';

let stand: Stand | undefined;
afterEach(() => stand?.stop());

const POLICY =
  "default-src 'none';frame-ancestors 'none';base-uri 'none';style-src 'unsafe-inline';img-src 'self' data:;form-action 'self'";
const page =
  (status: number, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end('<p>Hi</p>');
const standBefore = async (listener: RequestListener, variables: Record<string, string> = {}) => {
  stand = await startStand(variables, { identity: await startIdentity(listener) });
  return stand;
};

describe('a page that a service wrote', () => {
  test.each([200, 400, 401, 403])(
    'answers %i under a policy without any script, kept by no cache',
    async (status) => {
      const loose = {
        'content-security-policy': "default-src * 'unsafe-inline'",
        'x-frame-options': 'ALLOWALL',
        'referrer-policy': 'unsafe-url',
        'cache-control': 'public',
      };
      const { url } = await standBefore(page(status, loose));
      const path = status === 200 ? '/auth/login' : '/auth/provider-a/callback?code=x&state=y';
      const answer = await ask(url, path);
      expect([answer.status, answer.text]).toEqual([status, '<p>Hi</p>']);
      expect(answer.headers).toMatchObject({
        'content-security-policy': POLICY,
        'content-type': 'text/html; charset=utf-8',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'cache-control': 'no-store',
      });
    },
  );

  test('is not passed on where none is declared', async () => {
    for (const status of [200, 404]) {
      const { url } = await standBefore(page(status));
      const answer = await ask(url, '/auth/me');
      expect(answer.json()).toMatchObject({ status: 502 });
      await stand?.stop();
    }
    const { url } = await standBefore(page(500));
    expect((await ask(url, '/auth/provider-a/callback')).json()).toMatchObject({ status: 502 });
  });
});

test('a redirect to a provider is kept by no cache, and brings its cookie', async () => {
  const { url } = await standBefore((_request, response) =>
    response
      .writeHead(302, { location: 'https://login.example/?x=1', 'set-cookie': '__Host-muster_login=a' })
      .end(),
  );
  const { status, headers } = await ask(url, '/auth/provider-a/login');
  expect(status).toBe(302);
  expect(headers).toMatchObject({
    location: 'https://login.example/?x=1',
    'set-cookie': ['__Host-muster_login=a'],
    'cache-control': 'no-store',
  });
});

test('a file to save passes as it is, and cannot be taken for a page', async () => {
  const disposition = 'attachment; filename="report.pdf"';
  const { url } = await standBefore((_request, response) =>
    response
      .writeHead(200, { 'content-type': 'application/pdf', 'content-disposition': disposition })
      .end('%PDF-'),
  );
  const { headers, text } = await ask(url, '/auth/me');
  expect(text).toBe('%PDF-');
  expect(headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': disposition,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none';frame-ancestors 'none';base-uri 'none'",
  });
});

test('an endpoint with renditions may answer with a page, but errors stay problems', () => {
  const report = {
    method: 'GET',
    path: '/api/sessions/{id}/report/',
    summary: '',
    description: 'Described.',
    role: 'viewer',
    responses: { 200: null },
    renditions: ['text/html', 'application/pdf'],
  } satisfies Endpoint;
  const answer = (statusCode: number, type: string) =>
    ({ statusCode, headers: { 'content-type': type } }) as unknown as Parameters<typeof isAcceptable>[0];
  expect(isAcceptable(answer(200, 'text/html; charset=utf-8'), report)).toBe(true);
  expect(isAcceptable(answer(200, 'application/pdf'), report)).toBe(true);
  expect(isAcceptable(answer(200, 'Text/HTML'), { ...report, renditions: [] })).toBe(false);
  expect(isAcceptable(answer(400, 'text/html'), report)).toBe(false);
  expect(isAcceptable(answer(404, 'application/problem+json'), report)).toBe(true);
});

test('over https browsers are told to stay on it for a year, for this host alone', async () => {
  const { url } = await standBefore(page(200), PRODUCTION);
  for (const path of ['/auth/login', '/health', '/nothing']) {
    const { headers } = await ask(url, path);
    expect([path, headers['strict-transport-security']]).toEqual([path, 'max-age=31536000']);
  }
});
