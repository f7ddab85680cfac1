import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Client, intelItemsApi } from '@muster/contracts';
import { problemOf, startTestService, type TestService } from '@muster/testing';
import { intel } from '../src/service.ts';
import { article, startWeb, type Web } from './web.fixture.ts';

let web: Web;
let inside: Web;
let service: TestService;
let client: Client<typeof intelItemsApi>;
beforeAll(async () => {
  [web, inside] = await Promise.all([startWeb(), startWeb()]);
  inside.set('/secret', article('Secret', 'APT28 was here with phishing emails.'));
  service = await startTestService(intel, { MUSTER_INTEL_ALLOW: web.host });
  client = service.client(intelItemsApi);
});
afterAll(async () => {
  await service.stop();
  await Promise.all([web.stop(), inside.stop()]);
});

const refusal = (url: string, wait = 10) =>
  problemOf(client.ingestIntel({ body: { url } }, { headers: { prefer: `wait=${wait}` } }));
const stored = async () => (await client.listIntel()).body.total;

describe('an address that may not be called', () => {
  test.each([
    'http://127.0.0.1/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://localhost/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
    'https://0.0.0.0/',
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://①②⑦.⓪.⓪.①/',
    'https://user:secret@example.com/',
    'https://example.com@127.0.0.1/',
    'https://example.com:8443/',
    'https://example.com:22/',
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://127.0.0.1:6379/_x',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://',
    'nonsense',
    '//example.com/',
  ])('%s', async (url) => {
    const { status, problem } = await refusal(url);
    expect([status, problem.type]).toEqual([422, 'urn:muster:problem:url-not-allowed']);
    expect(await stored()).toBe(0);
  });

  test('a port beside the one that is named, and a redirect inwards', async () => {
    const { status, problem } = await refusal(inside.at('/secret'));
    expect([status, problem.type]).toEqual([422, 'urn:muster:problem:url-not-allowed']);
    web.set(
      '/inwards',
      (_request, response) => void response.writeHead(302, { location: inside.at('/secret') }).end(),
    );
    web.set(
      '/metadata',
      (_request, response) => void response.writeHead(307, { location: 'http://169.254.169.254/' }).end(),
    );
    web.set(
      '/files',
      (_request, response) => void response.writeHead(301, { location: 'file:///etc/passwd' }).end(),
    );
    for (const path of ['/inwards', '/metadata', '/files'])
      expect((await refusal(web.at(path))).problem.type).toBe('urn:muster:problem:url-not-allowed');
    expect(inside.asked).toEqual([]);
  });
});

test('in production nothing inside is called, whatever the variable says', async () => {
  const production = await startTestService(intel, {
    MUSTER_MODE: 'production',
    MUSTER_INTEL_ALLOW: web.host,
  });
  try {
    const caller = production.client(intelItemsApi, production.tokens.sign());
    const { problem } = await problemOf(caller.ingestIntel({ body: { url: web.at('/x') } }));
    expect(problem.type).toBe('urn:muster:problem:url-not-allowed');
  } finally {
    await production.stop();
  }
});

/** What is wrong, at which path, how it is set up, and what the answer says. */
const FAILURES: [string, string, () => unknown, string][] = [
  ['a page that is not there', '/missing', () => undefined, '404 Not Found'],
  [
    'a server that fails',
    '/500',
    () => web.set('/500', (_request, response) => void response.writeHead(500).end('stack trace')),
    '500',
  ],
  [
    'a page behind a login',
    '/401',
    () => web.set('/401', (_request, response) => void response.writeHead(401).end()),
    'without an account',
  ],
  [
    'redirects in a circle',
    '/circle',
    () =>
      web.set('/circle', (_request, response) => void response.writeHead(302, { location: '/circle' }).end()),
    'more than 5 times',
  ],
  [
    'a connection that breaks',
    '/broken',
    () =>
      web.set(
        '/broken',
        (_request, response) =>
          void response.writeHead(200, { 'content-length': '100' }).write('x', () => response.destroy()),
      ),
    'without a usable answer',
  ],
  ['a gzip bomb', '/bomb', () => web.set('/bomb', bomb()), 'more than 10485760 bytes'],
  ['an endless body', '/endless', () => web.set('/endless', endless), 'more than 10485760 bytes'],
  [
    'a body that is not packed as it says',
    '/unpacked',
    () =>
      web.set(
        '/unpacked',
        (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('plain'),
      ),
    'unpacked',
  ],
  [
    'an error page with success',
    '/soft-404',
    () =>
      web.set(
        '/soft-404',
        '<html><head><title>404 Not Found</title></head><body><p>The page you are looking for does not exist any more.</p></body></html>',
      ),
    'went wrong',
  ],
  [
    'an error page where a feed was',
    '/blog/feed.xml',
    () =>
      web.set(
        '/blog/feed.xml',
        '<!doctype html><html><body><h1>Welcome</h1><p>This is our new page, please look around and enjoy it.</p></body></html>',
      ),
    'web page where a feed',
  ],
  [
    'a page that scripts fill',
    '/app',
    () => web.set('/app', '<html><body><div id="root"></div><script src="/a.js"></script></body></html>'),
    'no text to read',
  ],
  [
    'a picture',
    '/picture',
    () => web.set('/picture', Buffer.from('89504e470d0a1a0a', 'hex'), 'image/png'),
    'image/png',
  ],
  ['nothing', '/empty', () => web.set('/empty', ''), 'empty'],
  [
    'broken JSON',
    '/broken.json',
    () => web.set('/broken.json', '{"type": "bundle", "objects": [{]}', 'application/json'),
    'no valid JSON',
  ],
  [
    'JSON nested without end',
    '/deep.json',
    () => web.set('/deep.json', '['.repeat(200_000), 'application/json'),
    'nested deeper',
  ],
  [
    'another JSON',
    '/other.json',
    () => web.set('/other.json', '{"hello": 1}', 'application/json'),
    'no STIX bundle',
  ],
  [
    'an entity bomb',
    '/bomb.xml',
    () =>
      web.set(
        '/bomb.xml',
        '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><rss><channel><item><title>&b;</title></item></channel></rss>',
        'application/rss+xml',
      ),
    'entities',
  ],
  [
    'a login page where a TAXII collection was',
    '/t/collections/1/objects/',
    () => web.set('/t/collections/1/objects/', '<html>Sign in</html>'),
    'TAXII',
  ],
  [
    'an empty TAXII collection',
    '/t/collections/2/objects/',
    () => web.set('/t/collections/2/objects/', '{}', 'application/taxii+json;version=2.1'),
    'without objects',
  ],
  [
    'an empty MISP feed',
    '/m/manifest.json',
    () => web.set('/m/manifest.json', '{}', 'application/json'),
    'no STIX bundle',
  ],
  [
    'XML of another kind',
    '/note.xml',
    () => web.set('/note.xml', '<?xml version="1.0"?><note/>', 'application/xml'),
    'neither RSS nor Atom',
  ],
];

describe('a source that fails', () => {
  test.each(FAILURES)('%s', async (_name, path, prepare, reason) => {
    prepare();
    const { status, problem } = await refusal(web.at(path), 20);
    expect([status, problem.type]).toEqual([502, 'urn:muster:problem:bad-gateway']);
    expect(problem.detail).toContain(reason);
    expect(JSON.stringify(problem)).not.toMatch(/stack trace|node_modules|\.ts:\d/);
    expect(await stored()).toBe(0);
  });

  test('a port where nobody listens', async () => {
    const closed = await startWeb();
    await closed.stop();
    const allowing = await startTestService(intel, { MUSTER_INTEL_ALLOW: closed.host });
    try {
      const { status, problem } = await problemOf(
        allowing
          .client(intelItemsApi)
          .ingestIntel({ body: { url: closed.at('/') } }, { headers: { prefer: 'wait=20' } }),
      );
      expect([status, problem.detail]).toEqual([502, expect.stringContaining('takes no connection')]);
    } finally {
      await allowing.stop();
    }
  });

  test('a source that does not get done in 15 s is told to who waits, and as a job to who does not', async () => {
    web.set(
      '/slow',
      (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).write('<p>'),
    );
    const { status, body, headers } = await client.ingestIntel(
      { body: { url: web.at('/slow') } },
      { headers: { prefer: 'wait=1' } },
    );
    expect([status, (body as { status: string }).status]).toEqual([202, 'running']);
    expect(headers.get('location')).toMatch(/^\/api\/jobs\//);
    const { status: failed, problem } = await refusal(web.at('/slow'), 60);
    expect([failed, problem.detail]).toEqual([
      502,
      expect.stringContaining('did not answer in full within 15 s'),
    ]);
  }, 60_000);
});

const bomb = () => (_request: unknown, response: ServerResponse) =>
  void response
    .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
    .end(gzipSync(Buffer.alloc(64 * 1024 * 1024, 32)));

function endless(_request: unknown, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/html' });
  const piece = Buffer.alloc(256 * 1024, 97);
  const more = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', more);
  more();
}
