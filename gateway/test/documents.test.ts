import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { events } from '@muster/contracts';
import { ask } from '@muster/testing';
import { forwardedApis } from '../src/routing/routes.ts';
import { type Stand, startStand } from './stand.ts';

let stand: Stand;
beforeAll(async () => {
  stand = await startStand();
});
afterAll(() => stand.stop());

interface OpenApi {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
}

describe('/openapi.json', () => {
  test('has exactly the endpoints that are routed, and the public ones of the gateway', async () => {
    const document = (await ask(stand.url, '/openapi.json')).json<OpenApi>();
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const routed = forwardedApis.flatMap((api) =>
      Object.values(api.endpoints).map(({ method, path }) => `${method} ${path}`),
    );
    const own = ['/health', '/openapi.json', '/asyncapi.json', '/docs', '/redoc'].map(
      (path) => `GET ${path}`,
    );
    expect(documented.sort()).toEqual([...routed, ...own].sort());
    expect(document.openapi).toBe('3.1.0');
    expect(document.servers).toEqual([{ url: '/' }]);
  });

  test('names every operation once, and its references lead somewhere', async () => {
    const { text, json } = await ask(stand.url, '/openapi.json');
    const document = json<OpenApi>();
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path.split('/'));
    expect(references.length).toBeGreaterThan(10);
    for (const steps of references) {
      const target = steps.reduce<unknown>(
        (at, step) => (at as Record<string, unknown> | undefined)?.[step],
        document,
      );
      expect([steps.join('/'), typeof target]).toEqual([steps.join('/'), 'object']);
    }
  });

  test('is not sent twice to those who have it', async () => {
    const first = await ask(stand.url, '/openapi.json');
    const etag = first.headers.etag ?? '';
    const again = await ask(stand.url, '/openapi.json', { headers: { 'if-none-match': etag } });
    expect(again).toMatchObject({ status: 304, text: '' });
  });
});

test('/asyncapi.json has every event', async () => {
  const document = (await ask(stand.url, '/asyncapi.json')).json<{
    asyncapi: string;
    channels: Record<string, { address: string }>;
  }>();
  const addresses = Object.values(document.channels).map(({ address }) => address);
  expect(addresses.sort()).toEqual(events.map(({ type }) => type).sort());
  expect(document.asyncapi).toMatch(/^3\./);
});

describe.each(['/docs', '/redoc'])('%s', (path) => {
  test('is a page without inline script, under a policy that allows scripts from here only', async () => {
    const { status, headers, text } = await ask(stand.url, path);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).not.toMatch(/<script(?![^>]* src=)|\son\w+=|javascript:/i);
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/script-src 'self'(;|$)/);
    expect(policy).toMatch(/default-src 'none'/);
    expect((await ask(stand.url, path, { method: 'HEAD' })).headers['content-length']).toBe(
      String(Buffer.byteLength(text)),
    );
  });

  test('loads nothing but files of ours, each with the right type and cached', async () => {
    const { text } = await ask(stand.url, path);
    const assets = [...text.matchAll(/(?:src|href|spec-url)="([^"]+)"/g)].map(([, url = '']) => url);
    expect(assets.length).toBeGreaterThan(2);
    for (const url of assets) {
      expect(url).toMatch(/^\/[a-z]/);
      const asset = await ask(stand.url, url);
      expect([url, asset.status]).toEqual([url, 200]);
      const type = { js: 'text/javascript', css: 'text/css', png: 'image/png', json: 'application/json' };
      const extension = url.split('.').at(-1) as keyof typeof type;
      expect(asset.headers['content-type']?.split(';')[0]).toBe(type[extension]);
      expect(asset.headers).toMatchObject({ etag: expect.any(String), 'cache-control': expect.any(String) });
      expect(asset.text.length).toBeGreaterThan(100);
    }
  });
});

test('ReDoc does not ask its maker for a logo', async () => {
  const { text } = await ask(stand.url, '/redoc/redoc.standalone.js');
  expect(text).not.toContain('cdn.redoc.ly');
});
