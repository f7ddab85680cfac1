import { createServer as createTcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { guardedFetch, type Resolve } from '../src/index.ts';
import { listening, type Place, startPlace, stopAll } from './egress.fixture.ts';

const MEBIBYTE = 1024 * 1024;
let place: Place;
beforeAll(async () => {
  place = await startPlace();
});
afterAll(stopAll);

describe('an answer that', () => {
  const refusal = (message: string) => ({ code: 'bad-gateway', message: expect.stringContaining(message) });

  test('has exactly as many bytes as it may is taken, and one more is not', async () => {
    place.answers['/size'] = (_request, response) => response.end('x'.repeat(1000));
    expect((await place.call(place.url('/size'), { maxBytes: 1000 })).body).toHaveLength(1000);
    await expect(place.call(place.url('/size'), { maxBytes: 999 })).rejects.toMatchObject(
      refusal('more than 999 bytes'),
    );
  });

  test('is a bomb goes off outside', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * MEBIBYTE), { level: 9 });
    place.answers['/bomb'] = (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    const before = process.memoryUsage().rss;
    await expect(place.call(place.url('/bomb'))).rejects.toMatchObject(refusal('more than 10485760 bytes'));
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * MEBIBYTE);
  });

  test('is a bomb in a bomb goes off outside, too', async () => {
    const bomb = gzipSync(gzipSync(Buffer.alloc(100 * MEBIBYTE), { level: 9 }));
    place.answers['/bombs'] = (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(bomb);
    await expect(place.call(place.url('/bombs'))).rejects.toMatchObject(refusal('more than 10485760 bytes'));
  });

  test('never ends is cut off by its size', async () => {
    place.answers['/endless'] = (_request, response) => {
      const more = () => {
        while (response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    };
    await expect(place.call(place.url('/endless'))).rejects.toMatchObject(refusal('more than'));
  });

  test('drips is cut off by the deadline', async () => {
    let open = true;
    place.answers['/drip'] = (_request, response) => {
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => {
        clearInterval(timer);
        open = false;
      });
    };
    const since = performance.now();
    await expect(place.call(place.url('/drip'), { timeoutMs: 400 })).rejects.toMatchObject(
      refusal('within 0.4 s'),
    );
    expect(performance.now() - since).toBeLessThan(2_000);
    expect(open).toBe(false);
  });

  test.each([
    ['sends no header', ''],
    ['stops amid its headers', 'HTTP/1.1 200 OK\r\nx-slow: '],
  ])('%s is cut off by the deadline', async (_what, said) => {
    const silent = await listening(createTcpServer((socket) => socket.on('error', () => {}).write(said)));
    const policy = { allow: [`127.0.0.1:${silent}`] };
    const failing = guardedFetch(`http://127.0.0.1:${silent}/`, { policy, timeoutMs: 300 });
    await expect(failing).rejects.toMatchObject(refusal('within 0.3 s'));
  });

  test('waits for a name that DNS never tells is cut off by the deadline', async () => {
    const resolve: Resolve = () => new Promise(() => {});
    const failing = guardedFetch('https://slow.example.org/', {
      policy: { allow: [] },
      resolve,
      timeoutMs: 200,
    });
    await expect(failing).rejects.toMatchObject(refusal('slow.example.org did not answer'));
  });

  test('breaks off is said so', async () => {
    place.answers['/broken'] = (request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half');
      setTimeout(() => request.socket.destroy(), 50);
    };
    await expect(place.call(place.url('/broken'))).rejects.toMatchObject(refusal('broke off'));
  });

  test('is not packed as it says is said so', async () => {
    place.answers['/lie'] = (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('not packed at all');
    await expect(place.call(place.url('/lie'))).rejects.toMatchObject(refusal('unpacked'));
  });

  test('is no HTTP is said so', async () => {
    const talker = await listening(createTcpServer((socket) => socket.end('+OK Redis\r\n')));
    const policy = { allow: [`127.0.0.1:${talker}`] };
    await expect(guardedFetch(`http://127.0.0.1:${talker}/`, { policy })).rejects.toMatchObject(
      refusal('broke off'),
    );
  });

  test('has too many headers is said so', async () => {
    place.answers['/headers'] = (_request, response) => {
      response.writeHead(200, { 'x-long': 'x'.repeat(200_000) }).end();
    };
    await expect(place.call(place.url('/headers'))).rejects.toMatchObject({ code: 'bad-gateway' });
  });

  test('does not come, for nobody listens, is said so', async () => {
    const gone = createTcpServer();
    const nobody = await listening(gone);
    await new Promise((resolve) => gone.close(resolve));
    const policy = { allow: [`127.0.0.1:${nobody}`] };
    await expect(guardedFetch(`http://127.0.0.1:${nobody}/`, { policy })).rejects.toMatchObject(
      refusal('takes no connection'),
    );
  });
});
