import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { keyStore } from './jwks.ts';

let published: string[] = [];
let cacheControl = '';
let asked = 0;
const points = new Map<string, object>();
const servers: Server[] = [];

function jwkOf(kid: string) {
  const point =
    points.get(kid) ?? generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
  points.set(kid, point);
  return { ...point, kid, use: 'sig', alg: 'ES256' };
}

/** Publishes keys as identity does. */
async function publisher(port = 0): Promise<Server> {
  const server = createServer((_request, response) => {
    asked += 1;
    response.setHeader('cache-control', cacheControl).end(JSON.stringify({ keys: published.map(jwkOf) }));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  servers.push(server);
  return server;
}
const portOf = (server: Server) => (server.address() as AddressInfo).port;
const stop = async (server: Server) => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
};

beforeEach(() => {
  published = ['one', 'two'];
  cacheControl = 'public, max-age=1';
  asked = 0;
});
afterAll(async () => {
  for (const server of servers) await stop(server);
});

test('keys are asked for once while they are fresh, by however many at once', async () => {
  const keyOf = keyStore(`http://127.0.0.1:${portOf(await publisher())}/`);
  const found = await Promise.all([keyOf('one'), keyOf('two'), keyOf('one')]);
  expect(found.every((key) => key?.asymmetricKeyType === 'ec')).toBe(true);
  await keyOf('two');
  expect(asked).toBe(1);
});

test('a key that was taken out verifies nothing once the time is up that was told with it', async () => {
  const keyOf = keyStore(`http://127.0.0.1:${portOf(await publisher())}/`);
  expect(await keyOf('one')).not.toBeNull();
  published = ['two'];
  expect(await keyOf('one')).not.toBeNull();
  await sleep(1_050);
  expect(await keyOf('one')).toBeNull();
  expect(await keyOf('two')).not.toBeNull();
});

test('while identity is away what is known stays good, and what is not known cannot be told', async () => {
  const server = await publisher();
  const keyOf = keyStore(`http://127.0.0.1:${portOf(server)}/`);
  await keyOf('one');
  await stop(server);
  await sleep(1_050);
  for (let n = 0; n < 3; n += 1) expect(await keyOf('one')).not.toBeNull();
  const strangers = keyStore(`http://127.0.0.1:${portOf(await publisher())}/`);
  await stop(servers.at(-1) as Server);
  await expect(strangers('one')).rejects.toMatchObject({ code: 'unavailable' });
});

test('a key id that nobody knows costs one question', async () => {
  const keyOf = keyStore(`http://127.0.0.1:${portOf(await publisher())}/`);
  for (let n = 0; n < 20; n += 1) expect(await keyOf(`invented-${n}`)).toBeNull();
  expect(asked).toBe(1);
});
