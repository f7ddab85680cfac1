import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ask } from '@muster/testing';
import { type Stand, startStand } from './stand.ts';
import { startIdentity, startUpstream } from './upstream.ts';

let stand: Stand;
beforeAll(async () => {
  stand = await startStand();
});
afterAll(() => stand.stop());

const sent = () => stand.identity.received.at(-1)?.headers ?? {};

describe('what a service is told', () => {
  test('claims of identity and hop-by-hop headers stay outside', async () => {
    const smuggled = {
      'X-User-Id': 'root',
      'x-user': 'root',
      'X-Org-Id': 'other',
      'X-Muster-Role': 'owner',
      'X-Forwarded-For': '10.0.0.1',
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Prefix': '/x',
      'X-Real-Ip': '10.0.0.1',
      'X-Original-Url': '/admin',
      'X-HTTP-Method-Override': 'DELETE',
      Forwarded: 'for=10.0.0.1',
      'Proxy-Authorization': 'Basic x',
      TE: 'trailers',
      Connection: 'close, X-Secret-Hop',
      'X-Secret-Hop': '1',
      'X-Auth-Request-User': 'root',
      'X-Remote-User': 'root',
      'Remote-User': 'root',
      'X-Client-Cert': 'x',
      'True-Client-IP': '10.0.0.1',
      'CF-Connecting-IP': '10.0.0.1',
      'X-Method-Override': 'DELETE',
      Upgrade: 'websocket',
      Cookie: 'a=b',
    };
    await ask(stand.url, '/auth/me', { headers: { ...smuggled, 'X-Ordinary': 'kept' } });
    expect(sent()).toMatchObject({
      'x-ordinary': 'kept',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': new URL(stand.url).host,
      host: new URL(stand.identity.url).host,
    });
    const kept = ['connection', 'x-forwarded-for', 'x-forwarded-host'];
    const gone = Object.keys(smuggled)
      .map((name) => name.toLowerCase())
      .filter((name) => !kept.includes(name));
    expect(Object.keys(sent()).filter((name) => gone.includes(name))).toEqual([]);
    expect(JSON.stringify(sent())).not.toMatch(/evil|10\.0\.0\.1|x-secret/i);
  });

  test('Connection cannot be used to drop the credentials, the framing or what the gateway says', async () => {
    await ask(stand.url, '/auth/update-ip', {
      method: 'POST',
      body: '{}',
      headers: {
        Connection: 'close, authorization, content-length, host, x-forwarded-for, x-request-id',
        Authorization: 'Bearer x',
      },
    });
    expect(sent()).toMatchObject({
      authorization: 'Bearer x',
      'content-length': '2',
      'x-forwarded-for': '127.0.0.1',
      'x-request-id': expect.stringMatching(/^req-/),
    });
  });
});

describe('cookies', () => {
  const cookie = '__Host-muster_login=x; theme=dark';

  test('reach the login pages of identity, and nothing else', async () => {
    for (const path of [
      '/auth/provider-a/login',
      '/auth/provider-b/callback',
      '/auth/invite',
      '/auth/setup',
    ]) {
      await ask(stand.url, path, { headers: { cookie } });
      expect([path, sent().cookie]).toEqual([path, cookie]);
    }
    for (const path of ['/auth/me', '/.well-known/jwks.json', '/api/members/']) {
      await ask(stand.url, path, { headers: { cookie } });
      expect([path, sent().cookie]).toEqual([path, undefined]);
    }
    await ask(stand.url, '/api/sessions/', { headers: { cookie } });
    expect(stand.exercises.received.at(-1)?.headers.cookie).toBeUndefined();
  });

  test('are set by identity and by no other service', async () => {
    const setting: RequestListener = (_request, response) =>
      void response.setHeader('Set-Cookie', ['a=1', 'b=2']).end('{}');
    const own = await startStand(
      {},
      { exercises: await startUpstream(setting), identity: await startIdentity(setting) },
    );
    try {
      expect((await ask(own.url, '/auth/login')).headers['set-cookie']).toEqual(['a=1', 'b=2']);
      expect((await ask(own.url, '/api/sessions/')).headers['set-cookie']).toBeUndefined();
    } finally {
      await own.stop();
    }
  });
});

describe('request id and trace', () => {
  test('a sane id and a trace are carried on and returned', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const answer = await ask(stand.url, '/auth/me', {
      headers: { 'X-Request-Id': 'my-id.1', traceparent, tracestate: 'a=b' },
    });
    expect(answer.headers['x-request-id']).toBe('my-id.1');
    expect(sent()).toMatchObject({ 'x-request-id': 'my-id.1', tracestate: 'a=b' });
    expect(sent().traceparent).toMatch(
      /^00-4bf92f3577b34da6a3ce929d0e0e4736-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$/,
    );
  });

  test.each(['a b', 'x'.repeat(129), '<script>', ''])('"%s" is no id: one is made', async (given) => {
    const answer = await ask(stand.url, '/nothing-here', { headers: { 'X-Request-Id': given } });
    expect(answer.headers['x-request-id']).toMatch(/^req-[\w-]{12}$/);
    expect(answer.json().request_id).toBe(answer.headers['x-request-id']);
  });
});

test('every answer carries the security headers, forwarded ones too', async () => {
  for (const path of ['/auth/me', '/nothing-here', '/health', '/openapi.json']) {
    const { headers } = await ask(stand.url, path);
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers['x-powered-by']).toBeUndefined();
    expect(headers['strict-transport-security']).toBeUndefined();
  }
});
