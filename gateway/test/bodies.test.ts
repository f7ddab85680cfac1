import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ask, exchangeBytes } from '@muster/testing';
import { type Stand, startStand } from './stand.ts';

const MIB = 1024 * 1024;
let stand: Stand;
beforeAll(async () => {
  stand = await startStand();
});
afterAll(() => stand.stop());

function* pieces(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= 64 * 1024) yield Buffer.alloc(Math.min(left, 64 * 1024), 'x');
}

describe.each([
  ['/api/sessions/', MIB],
  ['/api/scenarios/', 5 * MIB],
])('%s takes %i bytes', (path, limit) => {
  test('exactly as many pass, with a length and in chunks', async () => {
    const whole = await ask(stand.url, path, { method: 'POST', body: Buffer.alloc(limit) });
    expect(whole.json()).toMatchObject({ bytes: limit });
    const chunked = await ask(stand.url, path, { method: 'POST', chunks: pieces(limit) });
    expect(chunked.json()).toMatchObject({ bytes: limit });
  });

  test('one more, announced, is refused before any of it is read', async () => {
    const before = stand.exercises.received.length;
    const answer = await ask(stand.url, path, { method: 'POST', body: Buffer.alloc(limit + 1) });
    expect(answer.json()).toMatchObject({ status: 413, type: 'urn:muster:problem:too-large' });
    expect(stand.exercises.received).toHaveLength(before);
  });

  test('one more, in chunks, is cut and refused', async () => {
    const answer = await ask(stand.url, path, { method: 'POST', chunks: pieces(limit + 1) });
    expect(answer.json()).toMatchObject({ status: 413, detail: `The body may have ${limit} bytes at most.` });
  });
});

test('a body far over the limit still gets its answer', async () => {
  const answer = await ask(stand.url, '/api/sessions/', { method: 'POST', chunks: pieces(20 * MIB) });
  expect(answer.status).toBe(413);
});

test('a caller who wants the connection closed may finish sending before it is', async () => {
  const { hostname, port } = new URL(stand.url);
  const socket = connect(Number(port), hostname);
  const closed = once(socket, 'close');
  socket.write(
    `POST /api/sessions/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${2 * MIB}\r\n\r\n`,
  );
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 413/);
  for (const piece of pieces(2 * MIB)) await new Promise((sent) => socket.write(piece, sent));
  expect(await closed).toEqual([false]);
});

test('a refused body does not spoil the connection for the next request', async () => {
  const chunk = `${MIB.toString(16)}\r\n${'x'.repeat(MIB)}\r\n`;
  const got = await exchangeBytes(
    stand.url,
    `POST /api/sessions/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}${chunk}0\r\n\r\n` +
      'GET /auth/me HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  );
  expect(got.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
});

test('a body that does not come is announced as none', async () => {
  const got = await exchangeBytes(
    stand.url,
    'POST /api/dashboard/rebuild/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  );
  expect(got).toContain('HTTP/1.1 200');
  expect(stand.exercises.received.at(-1)?.headers).toMatchObject({ 'content-length': '0' });
  expect(stand.exercises.received.at(-1)?.headers['transfer-encoding']).toBeUndefined();
});

test.each(['gzip, chunked', 'identity'])('a body in transfer coding "%s" is refused', async (coding) => {
  const before = stand.exercises.received.length;
  const got = await exchangeBytes(
    stand.url,
    `POST /api/sessions/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n`,
  );
  expect(got).toMatch(/^HTTP\/1\.1 400/);
  expect(stand.exercises.received).toHaveLength(before);
});

test('length and chunks at once is refused: two readers could see two requests', async () => {
  const got = await exchangeBytes(
    stand.url,
    'POST /api/sessions/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  );
  expect(got).toMatch(/^HTTP\/1\.1 400/);
  expect(got).toContain('application/problem+json');
});
