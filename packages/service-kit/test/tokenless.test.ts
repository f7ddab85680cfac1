import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ask as askBytes, TEST_SECRET } from '@muster/testing';
import { gatewayProofs, PROOF_HEADER, startService } from '../src/index.ts';
import { service as notes, seen } from './notes.fixture.ts';
import { type Notes, startNotes } from './stand.fixture.ts';

let service: Notes;
beforeAll(async () => {
  service = await startNotes({ KNOWN_HOSTS: 'exercises, dev-box.example' });
});
afterAll(async () => {
  await service?.stop();
});

const asked = { method: 'GET', url: '/api/notes/' };
const proof = (secret = TEST_SECRET, request = asked, ageS = 0) =>
  gatewayProofs(secret, () => Date.now() - ageS * 1000).make(request);
const listed = (headers: Record<string, string>, { method, url } = asked) =>
  askBytes(service.url, url, { method, headers });
const proven = (value: string) => listed({ [PROOF_HEADER]: value });

describe('a request without a token, sent to a service itself,', () => {
  test('acts as the demo owner when the gateway let it through', async () => {
    expect((await proven(proof())).status).toBe(200);
    expect((await proven(proof(TEST_SECRET, asked, 50))).status).toBe(200);
    const query = { method: 'GET', url: '/api/notes/?text=a%20b' };
    expect((await listed({ [PROOF_HEADER]: proof(TEST_SECRET, query) }, query)).status).toBe(200);
  });

  test.each([
    ['no proof', () => undefined],
    ['an empty one', () => ''],
    ['none of ours', () => 'NaN.x'],
    ['one that lost its end', () => proof().slice(0, -1)],
    ['one of another secret', () => proof('another secret of thirty-two characters')],
    ['one of another method', () => proof(TEST_SECRET, { ...asked, method: 'POST' })],
    ['one of another address', () => proof(TEST_SECRET, { ...asked, url: '/api/clock/' })],
    ['one of another query', () => proof(TEST_SECRET, { ...asked, url: '/api/notes/?' })],
    ['one of two minutes ago', () => proof(TEST_SECRET, asked, 120)],
    ['one of the future', () => proof(TEST_SECRET, asked, -120)],
    [
      'one given a new time',
      () => proof(TEST_SECRET, asked, 120).replace(/^\d+/, String((Date.now() / 1000) | 0)),
    ],
  ])('is a 401 with %s', async (_what, make) => {
    const value = make();
    const answer = await listed(value === undefined ? {} : { [PROOF_HEADER]: value });
    expect(answer.json()).toMatchObject({ status: 401, type: 'urn:muster:problem:unauthorized' });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.json().detail).toContain('ask the gateway');
  });

  test('is a 401 in production, proof or not', async () => {
    const production = await startService(notes, {
      ...service.env,
      MUSTER_MODE: 'production',
      SERVICE_PORT: '0',
      SERVICE_SECRET: 'q8Zx1T7vKp0wN4sLd9RgYb2HcE6uJf3M',
    });
    try {
      const headers = { [PROOF_HEADER]: proof('q8Zx1T7vKp0wN4sLd9RgYb2HcE6uJf3M') };
      const answer = await askBytes(production.url, asked.url, { headers });
      expect(answer.status).toBe(401);
      // There a token is needed anyway, and orchestrators ask by address.
      const named = { host: '10.0.0.9:8080', authorization: `Bearer ${service.tokens.sign()}` };
      expect((await askBytes(production.url, asked.url, { headers: named })).status).toBe(200);
    } finally {
      await production.stop();
    }
  });
});

test('a stream outlives the proof it began with', async () => {
  const clock = { method: 'GET', url: '/api/clock/' };
  const before = seen.streamsEnded;
  const leaving = new AbortController();
  const { status } = await fetch(service.url + clock.url, {
    headers: { [PROOF_HEADER]: proof(TEST_SECRET, clock, 58) },
    signal: leaving.signal,
  });
  await pause(4_500);
  expect([status, seen.streamsEnded]).toEqual([200, before]);
  leaving.abort();
});

describe('the name a service is asked by in development mode', () => {
  const named = (host: string, url: string) =>
    askBytes(service.url, url, { headers: { host, [PROOF_HEADER]: proof(TEST_SECRET, { ...asked, url }) } });

  test.each(['localhost', '127.0.0.1:7001', '[::1]:7001', 'exercises:8080', 'dev-box.example'])(
    'may be %s',
    async (host) => {
      expect((await named(host, '/api/notes/')).status).toBe(200);
    },
  );

  test.each(['evil.example', 'exercises.evil.example', '192.168.0.1:8080', 'evil_example:x'])(
    'may not be %s: a foreign page could have made it lead here',
    async (host) => {
      for (const url of ['/api/notes/', '/live', '/ready', '/metrics'])
        expect((await named(host, url)).json()).toMatchObject({
          status: 403,
          type: 'urn:muster:problem:forbidden',
        });
    },
  );
});
