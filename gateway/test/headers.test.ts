import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { ask } from '@muster/testing';
import { type Stand, startStand } from './stand.ts';

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
    };
    await ask(stand.url, '/auth/me', { headers: { ...smuggled, 'X-Ordinary': 'kept', Cookie: 'a=b' } });
    expect(sent()).toMatchObject({
      'x-ordinary': 'kept',
      cookie: 'a=b',
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

  test('Connection cannot be used to drop the credentials or the framing', async () => {
    await ask(stand.url, '/auth/me', {
      headers: { Connection: 'close, authorization, content-length', Authorization: 'Bearer x' },
    });
    expect(sent().authorization).toBe('Bearer x');
  });
});

describe('behind a proxy', () => {
  let behind: Stand | undefined;
  afterEach(() => behind?.stop());
  const forwarded = {
    'X-Forwarded-For': '203.0.113.9, 127.0.0.1',
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Host': 'muster.example.org',
  };

  test('a trusted one is believed about the caller', async () => {
    behind = await startStand({ TRUSTED_PROXIES: '127.0.0.0/8' });
    await ask(behind.url, '/auth/me', { headers: forwarded });
    expect(behind.identity.received.at(-1)?.headers).toMatchObject({
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'muster.example.org',
    });
  });

  test('PUBLIC_ORIGIN says where the product is, whatever a request claims', async () => {
    behind = await startStand({ TRUSTED_PROXIES: '127.0.0.1', PUBLIC_ORIGIN: 'https://train.example.org/' });
    const answer = await ask(behind.url, '/auth/me', { headers: forwarded });
    expect(behind.identity.received.at(-1)?.headers).toMatchObject({
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'train.example.org',
    });
    expect(answer.headers['strict-transport-security']).toContain('max-age=31536000');
    const document = (await ask(behind.url, '/openapi.json')).json<{ servers: unknown }>();
    expect(document.servers).toEqual([{ url: 'https://train.example.org' }]);
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
