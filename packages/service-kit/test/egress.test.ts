import { createServer as createTlsServer } from 'node:tls';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { guardedFetch, guardedFetcher, guardedStream, type Resolve } from '../src/index.ts';
import { listening, type Place, startPlace, stopAll, text } from './egress.fixture.ts';

let place: Place;
let other: Place;
beforeAll(async () => {
  [place, other] = [await startPlace(), await startPlace()];
});
afterAll(stopAll);

/** Names stand for addresses as a test says. */
const names =
  (addresses: Record<string, string[]>): Resolve =>
  async (hostname) =>
    (addresses[hostname] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('a call', () => {
  test('brings status, headers, address and body', async () => {
    place.answers['/plain'] = (_request, response) =>
      response.writeHead(418, { 'x-kind': 'tea' }).end('hello');
    const { status, headers, url, body } = await place.call(place.url('/plain'));
    expect([status, headers.get('x-kind'), url, text(body)]).toEqual([
      418,
      'tea',
      place.url('/plain'),
      'hello',
    ]);
  });

  test('sends method, headers and body, and says who it is', async () => {
    const got: string[] = [];
    place.answers['/echo'] = async (request, response) => {
      for await (const chunk of request) got.push(String(chunk));
      response.end();
    };
    const headers = { 'x-own': '1', host: 'elsewhere.example' };
    await place.call(place.url('/echo'), { method: 'post', headers, body: 'text' });
    expect(got.join('')).toBe('text');
    const { method, headers: sent } = place.seen.at(-1) ?? {};
    expect(method).toBe('POST');
    expect(sent).toMatchObject({ 'x-own': '1', 'user-agent': 'Muster', host: `127.0.0.1:${place.port}` });
  });

  test('by name goes to the address that was looked at, under the name', async () => {
    place.answers['/named'] = (_request, response) => response.end('named');
    const host = `feeds.example.org:${place.port}`;
    const resolve = names({ 'feeds.example.org': ['127.0.0.1'] });
    const { url } = await guardedFetch(`http://FEEDS.example.org.:${place.port}/named`, {
      policy: { allow: [host] },
      resolve,
    });
    expect(url).toBe(`http://${host}/named`);
    expect(place.seen.at(-1)?.headers.host).toBe(host);
  });

  test('over TLS asks for the name, not for the address', async () => {
    const asked = Promise.withResolvers<string>();
    const tls = createTlsServer({
      SNICallback: (name, done) => {
        asked.resolve(name);
        done(new Error('no certificate'));
      },
    });
    const tlsPort = await listening(tls);
    const failing = guardedFetch(`https://siem.example.org:${tlsPort}/`, {
      policy: { allow: [`siem.example.org:${tlsPort}`] },
      resolve: names({ 'siem.example.org': ['127.0.0.1'] }),
    });
    await expect(failing).rejects.toMatchObject({ code: 'bad-gateway' });
    expect(await asked.promise).toBe('siem.example.org');
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
  ])('is unpacked from %s', async (encoding, pack) => {
    place.answers['/packed'] = (_request, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(pack('unpacked'));
    const { body, headers } = await place.call(place.url('/packed'));
    expect(text(body)).toBe('unpacked');
    expect(headers.has('content-encoding')).toBe(false);
  });
});

describe('a name', () => {
  const inside = (addresses: string[], url = 'https://rebind.example.org/') =>
    guardedFetch(url, { policy: { allow: [] }, resolve: names({ 'rebind.example.org': addresses }) });

  test.each([
    [['127.0.0.1']],
    [['10.0.0.1']],
    [['169.254.169.254']],
    [['::1']],
    [['::ffff:127.0.0.1']],
    [['64:ff9b::7f00:1']],
    [['8.8.8.8', '127.0.0.1']],
    [['127.0.0.1', '8.8.8.8']],
    [['2606:4700::1111', 'fd00::1']],
    [['fe80::1%eth0']],
    [['no address']],
  ])('that stands for %j is refused', async (addresses) => {
    await expect(inside(addresses)).rejects.toMatchObject({
      code: 'url-not-allowed',
      message: expect.stringContaining('rebind.example.org'),
    });
  });

  test('that stands for nothing is said so', async () => {
    await expect(inside([])).rejects.toMatchObject({ code: 'bad-gateway' });
  });

  test('is asked for once: what it stands for a moment later does not count', async () => {
    const before = place.seen.length;
    let asked = 0;
    const resolve: Resolve = async () => {
      asked += 1;
      // Nothing listens at the first one; loopback would answer.
      return [{ address: asked === 1 ? '192.88.99.0' : '127.0.0.1', family: 4 }];
    };
    const url = `http://rebind.example.org:${place.port}/plain`;
    const policy = { allow: [`rebind.example.org:${place.port}`] };
    await expect(guardedFetch(url, { policy, resolve, timeoutMs: 700 })).rejects.toMatchObject({
      code: 'bad-gateway',
    });
    expect([asked, place.seen.length]).toEqual([1, before]);
  });

  test('that the system knows as this machine is refused', async () => {
    for (const url of ['https://localhost/', 'https://LOCALHOST./'])
      await expect(guardedFetch(url, { policy: { allow: [] } })).rejects.toMatchObject({
        code: 'url-not-allowed',
      });
  });
});

describe('a redirect', () => {
  const to = (path: string, location: () => string, status = 302) => {
    place.answers[path] = (_request, response) => response.writeHead(status, { location: location() }).end();
  };

  test('is followed, and the answer says where it came from', async () => {
    place.answers['/end'] = (_request, response) => response.end('end');
    to('/one', () => '/two');
    to('/two', () => 'end', 307);
    expect((await place.call(place.url('/one'))).url).toBe(place.url('/end'));
  });

  test.each([
    ['another port of this machine', () => `http://127.0.0.1:${other.port}/end`],
    ['this machine under another notation', () => `http://2130706433:${other.port}/end`],
    ['the metadata of a cloud', () => 'http://169.254.169.254/latest/meta-data/'],
    ['the metadata of a cloud, by https', () => 'https://169.254.169.254/'],
    ['a name of this machine', () => 'https://localhost/'],
    ['another scheme', () => 'file:///etc/passwd'],
    ['a user and password', () => `http://u:p@127.0.0.1:${place.port}/end`],
  ])('to %s is refused', async (_what, location) => {
    const before = place.seen.length;
    to('/away', location);
    await expect(place.call(place.url('/away'))).rejects.toMatchObject({ code: 'url-not-allowed' });
    expect([place.seen.length, other.seen.length]).toEqual([before + 1, 0]);
  });

  test('to a name that stands for an address inside is refused', async () => {
    to('/named-away', () => 'https://inside.example.org/');
    const resolve = names({ 'inside.example.org': ['10.0.0.1'] });
    await expect(place.call(place.url('/named-away'), { resolve })).rejects.toMatchObject({
      code: 'url-not-allowed',
    });
  });

  test('to another origin that may be called takes no secret along', async () => {
    other.answers['/end'] = (_request, response) => response.end('end');
    to('/across', () => `http://127.0.0.1:${other.port}/end`);
    const headers = { authorization: 'Bearer x', cookie: 'a=b', 'x-api-key': 'k' };
    const policy = { allow: [`127.0.0.1:${place.port}`, `127.0.0.1:${other.port}`] };
    expect((await place.call(place.url('/across'), { policy, headers })).status).toBe(200);
    const [sent, forwarded] = [place, other].map(({ seen }) => seen.at(-1)?.headers);
    expect(sent).toMatchObject(headers);
    for (const name of Object.keys(headers)) expect(forwarded).not.toHaveProperty(name);
  });

  test('after redirect ends', async () => {
    to('/round', () => '/round');
    const before = place.seen.length;
    await expect(place.call(place.url('/round'))).rejects.toMatchObject({
      code: 'bad-gateway',
      message: expect.stringContaining('more than 5 times'),
    });
    expect(place.seen.length - before).toBe(6);
  });
});

describe('the caller', () => {
  test('may end it, and gets the own reason', async () => {
    place.answers['/wait'] = () => {};
    const ended = new AbortController();
    const failing = place.call(place.url('/wait'), { signal: ended.signal });
    ended.abort(new Error('enough'));
    await expect(failing).rejects.toThrow('enough');
  });

  test('may read the body in pieces, and stop', async () => {
    const closed = Promise.withResolvers<void>();
    place.answers['/pieces'] = (_request, response) => {
      response.on('close', closed.resolve);
      response.write('first');
    };
    const { body } = await guardedStream(place.url('/pieces'), {
      policy: { allow: [`127.0.0.1:${place.port}`] },
    });
    for await (const piece of body) {
      expect(text(piece)).toBe('first');
      break;
    }
    await closed.promise;
  });

  test('may hand it to a library as `fetch`', async () => {
    place.answers['/json'] = async (request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ got: text(Buffer.concat(await request.toArray())) }));
    };
    const fetch = guardedFetcher({ policy: { allow: [`127.0.0.1:${place.port}`] } });
    const answer = await fetch(place.url('/json'), { method: 'POST', body: '{}' });
    expect([answer.status, await answer.json()]).toEqual([200, { got: '{}' }]);
    place.answers['/none'] = (_request, response) => response.writeHead(204).end();
    expect((await fetch(place.url('/none'))).status).toBe(204);
    await expect(fetch(`http://127.0.0.1:${other.port}/json`)).rejects.toMatchObject({
      code: 'url-not-allowed',
    });
    await expect(fetch('https://a:b@example.org/')).rejects.toMatchObject({ code: 'url-not-allowed' });
  });
});
