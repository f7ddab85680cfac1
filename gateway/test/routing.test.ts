import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newJobId } from '@muster/contracts';
import { ask, exchangeBytes } from '@muster/testing';
import { forwardedApis } from '../src/routing/routes.ts';
import { type Stand, startStand } from './stand.ts';

let stand: Stand;
beforeAll(async () => {
  stand = await startStand();
});
afterAll(() => stand.stop());

const arrived = () => [...stand.upstreams.values()].flatMap(({ received }) => received.map(({ url }) => url));

describe('what is declared', () => {
  const jobId = newJobId('identity');
  const paths = forwardedApis.flatMap((api) =>
    Object.entries(api.endpoints).map(([name, { method, path }]) => {
      const raw = path
        .replace('{filename}', 'ransomware-hospital.json')
        .replace('{service}', 'identity')
        .replace('{id}', path.startsWith('/api/jobs/') ? jobId : '01923f5e-7b1a-7c3d-9e2f-5a6b7c8d9e0f');
      const service = /^\/api\/(jobs|parked)\//.test(path) ? 'identity' : api.service;
      return { name, method, raw, service } as const;
    }),
  );

  test.each(paths)('$method $raw reaches $service as it was written', async ({ method, raw, service }) => {
    const answer = await ask(stand.url, `${raw}?a=%2F&b=1`, { method });
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ method, url: `${raw}?a=%2F&b=1` });
    expect(stand.upstreams.get(service)?.received.at(-1)).toMatchObject({ method, url: `${raw}?a=%2F&b=1` });
  });

  test('the owner of a job is found by its id; an id that no service made is not', async () => {
    const ofExercises = `/api/jobs/${newJobId('exercises')}`;
    expect((await ask(stand.url, ofExercises)).status).toBe(200);
    expect(stand.exercises.received.at(-1)?.url).toBe(ofExercises);
    const nobodys = await ask(stand.url, '/api/jobs/01923f5e-7b1a-7c3d-9e2f-5a6b7c8d9eff');
    expect(nobodys.json()).toMatchObject({ status: 404, detail: 'There is no job with this id.' });
    const notDeployed = await ask(stand.url, `/api/jobs/${newJobId('twin')}`);
    expect(notDeployed.status).toBe(404);
  });

  test('parked messages are asked of the service that the path names', async () => {
    expect((await ask(stand.url, '/api/parked/exercises/')).status).toBe(200);
    expect(stand.exercises.received.at(-1)?.url).toBe('/api/parked/exercises/');
    for (const name of ['twin', 'nobody', '__proto__'])
      expect((await ask(stand.url, `/api/parked/${name}/`)).status).toBe(404);
  });

  test('HEAD works where GET does, without a body', async () => {
    const head = await ask(stand.url, '/api/sessions/', { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(stand.exercises.received.at(-1)?.method).toBe('HEAD');
  });
});

describe('near misses', () => {
  test.each([
    ['/api/sessions?limit=2&cursor=%2B', '/api/sessions/?limit=2&cursor=%2B'],
    ['/auth/me/', '/auth/me'],
    ['/ransomware-hospital.json/', '/ransomware-hospital.json'],
    ['/health/?x=1', '/health?x=1'],
    ['/docs/', '/docs'],
  ])('%s is redirected to %s', async (path, location) => {
    const before = arrived().length;
    const answer = await ask(stand.url, path, { method: 'GET' });
    expect([answer.status, answer.headers.location]).toEqual([308, location]);
    expect(arrived()).toHaveLength(before);
  });

  test.each([
    ['/api/sessions/', 'DELETE', 'GET, POST, HEAD, OPTIONS'],
    ['/auth/me', 'POST', 'GET, HEAD, OPTIONS'],
    ['/health', 'POST', 'GET, HEAD, OPTIONS'],
    ['/openapi.json', 'DELETE', 'GET, HEAD, OPTIONS'],
  ])('%s does not take %s', async (path, method, allow) => {
    const answer = await ask(stand.url, path, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow?.split(', ').sort()).toEqual(allow.split(', ').sort());
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(answer.json()).toMatchObject({ type: 'urn:muster:problem:method-not-allowed', instance: path });
    const options = await ask(stand.url, path, { method: 'OPTIONS' });
    expect([options.status, options.headers.allow, options.text]).toEqual([204, answer.headers.allow, '']);
  });

  test('/ leads to the documentation', async () => {
    const answer = await ask(stand.url, '/');
    expect([answer.status, answer.headers.location]).toEqual([302, '/docs']);
  });
});

describe('odd addresses, as raw bytes', () => {
  test.each([
    ['/%', 404],
    ['/%2e%2e', 404],
    ['/..', 404],
    ['/%00', 404],
    [`/${'a'.repeat(300)}`, 404],
    [`/${'a'.repeat(300)}.json`, 404],
    ['//', 404],
    ['//evil.example/api/sessions/', 404],
    ['/api//sessions/', 404],
    ['/api/sessions//', 404],
    ['/api/../api/sessions/', 404],
    ['/.json', 404],
    ['/..json', 404],
    ['/a%2fb.json', 404],
    ['/%FF.json', 404],
    ['/API/SESSIONS/', 404],
    ['/api/sessions/%/', 400],
    ['/api/sessions/%zz/scores/', 400],
    ['/api/sessions/%C3%28/scores/', 400],
    ['/api/nothing/%zz', 404],
    ['http://evil.example/api/sessions/', 400],
    ['*', 400],
  ])('GET %s answers %i and reaches no service', async (target, status) => {
    const before = arrived().length;
    const got = await exchangeBytes(
      stand.url,
      `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    expect(got.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
    expect(got.toLowerCase()).toContain('content-type: application/problem+json');
    const problem = JSON.parse(got.slice(got.indexOf('\r\n\r\n') + 4));
    expect(problem).toMatchObject({ status, type: expect.stringMatching(/not-found|malformed-url/) });
    expect(arrived()).toHaveLength(before);
  });
});
