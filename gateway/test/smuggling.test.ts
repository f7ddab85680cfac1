import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exchangeBytes } from '@muster/testing';
import { type Stand, startStand } from './stand.ts';

let stand: Stand;
beforeAll(async () => {
  stand = await startStand();
});
afterAll(() => stand.stop());

const arrived = () => [...stand.exercises.received, ...stand.identity.received].map(({ url }) => url);
const statusesOf = (bytes: string) => bytes.match(/HTTP\/1\.1 \d+/g)?.map((line) => Number(line.slice(9)));
const problemOf = (bytes: string) => JSON.parse(bytes.slice(bytes.indexOf('\r\n\r\n') + 4));
const POST = 'POST /api/sessions/ HTTP/1.1\r\nHost: localhost\r\n';
/** If a body were read with another length, this would be taken for a request of its own. */
const HIDDEN = 'GET /api/list-scenarios/ HTTP/1.1\r\nHost: localhost\r\n\r\n';

describe('framing that two readers could see differently', () => {
  test.each([
    ['length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['chunks and length', 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n'],
    ['two lengths', `Content-Length: 0\r\nContent-Length: ${HIDDEN.length}\r\n\r\n`],
    ['two lengths in one', `Content-Length: 0, ${HIDDEN.length}\r\n\r\n`],
    ['a signed length', 'Content-Length: +0\r\n\r\n'],
    ['a negative length', 'Content-Length: -1\r\n\r\n'],
    ['a hexadecimal length', 'Content-Length: 0x0\r\n\r\n'],
    ['a space before the colon', 'Content-Length : 0\r\n\r\n'],
    ['chunks and more', 'Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n'],
    ['two codings', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n'],
    ['chunks twice', 'Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n'],
    ['a coding nobody has', 'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n'],
    ['a quoted coding', 'Transfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n'],
    ['a coding after a vertical tab', 'Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n'],
    ['a coding on a folded line', 'Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n'],
    ['a chunk of bad size', 'Transfer-Encoding: chunked\r\n\r\n0x1\r\nx\r\n0\r\n\r\n'],
    ['a chunk of negative size', 'Transfer-Encoding: chunked\r\n\r\n-1\r\nx\r\n0\r\n\r\n'],
    ['a chunk longer than said', 'Transfer-Encoding: chunked\r\n\r\n1\r\nxyz\r\n0\r\n\r\n'],
  ])('%s is a 400, and what follows is no request', async (_what, rest) => {
    const before = arrived().filter((url) => url === '/api/list-scenarios/').length;
    const got = await exchangeBytes(stand.url, `${POST}${rest}${HIDDEN}`);
    expect(statusesOf(got)).toEqual([400]);
    expect(got.toLowerCase()).toContain('content-type: application/problem+json');
    expect(arrived().filter((url) => url === '/api/list-scenarios/')).toHaveLength(before);
  });

  test('a coding before the chunks is refused, and the connection ends', async () => {
    const before = stand.identity.received.length;
    const got = await exchangeBytes(
      stand.url,
      'POST /auth/update-ip HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n',
    );
    expect(statusesOf(got)).toEqual([400]);
    expect(problemOf(got).detail).toBe('Transfer-Encoding may be "chunked" only.');
    expect(stand.identity.received).toHaveLength(before);
  });

  test('chunks are framed anew for the service, without their extensions and trailers', async () => {
    const got = await exchangeBytes(
      stand.url,
      `${POST}Connection: close\r\nTransfer-Encoding: CHUNKED\r\n\r\n2;x=y\r\n{}\r\n0\r\nX-User-Id: root\r\n\r\n`,
    );
    expect(statusesOf(got)).toEqual([200]);
    const { headers } = stand.exercises.received.at(-1) ?? {};
    expect(headers).toMatchObject({ 'transfer-encoding': 'chunked' });
    expect(headers).not.toHaveProperty('x-user-id');
  });

  test('a body on a GET ends where it says it does', async () => {
    const body = 'GET /evil HTTP/1.1\r\n\r\n';
    const got = await exchangeBytes(
      stand.url,
      `GET /auth/me HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}` +
        'GET /auth/tokens/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    );
    expect(statusesOf(got)).toEqual([200, 200]);
    expect(stand.identity.received.slice(-2).map(({ url }) => url)).toEqual(['/auth/me', '/auth/tokens/']);
  });
});

describe('headers', () => {
  const get = (rest: string) =>
    exchangeBytes(stand.url, `GET /auth/me HTTP/1.1\r\nConnection: close\r\n${rest}\r\n\r\n`);

  test.each([
    ['two hosts', 'Host: localhost\r\nHost: evil.example'],
    ['the same host twice', 'Host: localhost\r\nhost: localhost'],
    ['two hosts in one', 'Host: localhost, evil.example'],
    ['a host with a user', 'Host: localhost@evil.example'],
    ['a host with a path', 'Host: localhost/evil'],
    ['an empty host', 'Host:'],
    ['a bad port', 'Host: localhost:99999'],
    ['two credentials', 'Host: localhost\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b'],
    ['a NUL', 'Host: localhost\r\nX-A: a\0b'],
    ['a folded line', 'Host: localhost\r\nX-A: a\r\n b'],
    ['a lone carriage return', 'Host: localhost\r\nX-A: a\rX-User-Id: root'],
    ['a control character', 'Host: localhost\r\nX-A: a\x01b'],
    ['a space before the colon', 'Host: localhost\r\nX-A : a'],
    ['a name with a NUL', 'Host: localhost\r\nX-\0A: a'],
  ])('%s: 400', async (_what, lines) => {
    const before = arrived().length;
    const got = await get(lines);
    expect(statusesOf(got)).toEqual([400]);
    expect(problemOf(got)).toMatchObject({ type: 'urn:muster:problem:malformed-header' });
    expect(arrived()).toHaveLength(before);
  });

  test('too many are refused, not dropped in silence', async () => {
    const lines = Array.from({ length: 2_100 }, (_, i) => `${(i % 36).toString(36)}:`).join('\r\n');
    const got = await get(`Host: localhost\r\n${lines}\r\nAuthorization: Bearer last`);
    expect(statusesOf(got)).toEqual([431]);
    expect(problemOf(got).detail).toBe('A request may have 200 header fields at most.');
  });

  test.each(['h2c', 'websocket'])(
    'an upgrade to %s is not granted, and the connection ends',
    async (protocol) => {
      const got = await exchangeBytes(
        stand.url,
        `GET /auth/me HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n${HIDDEN}`,
      );
      expect(statusesOf(got)).toEqual([200]);
      expect(got.toLowerCase()).toContain('connection: close');
      expect(stand.identity.received.at(-1)?.headers).not.toHaveProperty('upgrade');
    },
  );
});

describe('targets', () => {
  test.each([
    ['absolute', 'http://localhost/auth/me'],
    ['absolute, elsewhere', 'https://evil.example/auth/me'],
    ['of a user', 'http://root@localhost/auth/me'],
    ['without a slash', 'auth/me'],
    ['of another kind', 'file:///etc/passwd'],
  ])('%s: 400', async (_what, target) => {
    const before = arrived().length;
    const got = await exchangeBytes(
      stand.url,
      `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    expect(statusesOf(got)).toEqual([400]);
    expect(arrived()).toHaveLength(before);
  });

  test("what is only the services' own is not there", async () => {
    for (const path of ['/internal/session-tokens/', '/internal/session-tokens', '/ready', '/metrics']) {
      const got = await exchangeBytes(
        stand.url,
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      );
      expect([path, statusesOf(got)]).toEqual([path, [404]]);
    }
    expect(stand.identity.exchanged).toEqual([]);
  });
});
