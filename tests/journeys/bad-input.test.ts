import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient, type Problem, scenariosApi, sessionsApi } from '@muster/contracts';
import { ask, exchangeBytes, type Product, startProduct } from '@muster/testing';

// What the services refuse is tested with them; this is what a caller sees from outside, through the gateway.

const MEBIBYTE = 1024 * 1024;
let product: Product;
beforeAll(async () => {
  product = await startProduct('bad-input');
}, 120_000);
afterAll(async () => product?.stop());

const json = { 'content-type': 'application/json' };
const upload = (body: string, headers: Record<string, string> = json) =>
  ask(product.url, '/api/scenarios/', { method: 'POST', headers, body });

test.each([
  ['malformed JSON', 400, () => upload('{"title": ')],
  ['an unknown field', 422, () => upload('{"colour": "red"}')],
  ['a __proto__ key', 422, () => upload('{"__proto__": {"role": "owner"}}')],
  ['a $ key', 422, () => upload('{"title": {"$ne": null}}')],
  ['depth 1000', 422, () => upload('['.repeat(1000) + ']'.repeat(1000))],
  ['5 MiB + 1', 413, () => upload(`"${'x'.repeat(5 * MEBIBYTE - 1)}"`)],
  ['5 MiB + 1 without saying so', 413, () => chunked(5 * MEBIBYTE + 1)],
  [
    'a session of 1 MiB + 1',
    413,
    () =>
      ask(product.url, '/api/sessions/', {
        method: 'POST',
        headers: json,
        body: `"${'x'.repeat(MEBIBYTE - 1)}"`,
      }),
  ],
  ['XML', 415, () => upload('<a/>', { 'content-type': 'application/xml' })],
  ['a name with ..', 422, () => upload('{"filename": "../a.json"}')],
  ['..', 404, () => ask(product.url, '/..')],
  ['%2e%2e', 404, () => ask(product.url, '/%2e%2e')],
  ['%2e%2e in a delete', 404, () => ask(product.url, '/api/scenarios/%2e%2e', { method: 'DELETE' })],
  ['NUL', 404, () => ask(product.url, '/%00.json')],
  ['a percent sign alone', 404, () => ask(product.url, '/%')],
  ['a name of 300 characters', 404, () => ask(product.url, `/${'a'.repeat(300)}.json`)],
  ['a cursor someone edited', 422, () => ask(product.url, '/api/sessions/?cursor=abc.def')],
  [
    'an unknown Prefer',
    400,
    () => ask(product.url, '/api/sessions/', { headers: { prefer: 'handling=strict' } }),
  ],
  ['another method', 405, () => ask(product.url, '/api/sessions/', { method: 'DELETE' })],
  ['an unknown path', 404, () => ask(product.url, '/api/nothing/')],
  [
    'a token that is none',
    401,
    () => ask(product.url, '/api/sessions/', { headers: { authorization: 'Bearer abc' } }),
  ],
] as const)('%s gets its own problem answer', async (_name, status, send) => {
  const answer = await send();
  expect(answer.status).toBe(status);
  expect(answer.headers['content-type']).toContain('application/problem+json');
  const problem = answer.json<Problem>();
  expect(problem).toMatchObject({ status, type: expect.stringMatching(/^urn:muster:problem:/) });
  expect(problem.request_id).toBe(answer.headers['x-request-id']);
  expect(answer.text).not.toMatch(/node_modules|\.ts:\d|at \w+ \(/);
});

test('bytes that are no HTTP get a problem answer too', async () => {
  expect(await exchangeBytes(product.url, 'HELLO\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 400 [\s\S]*urn:muster:problem/,
  );
});

test('after all of that nothing was stored, nobody died, and nothing was logged as our error', async () => {
  const scenarios = await createClient(scenariosApi, { baseUrl: product.url }).listScenarios({
    query: { source: 'upload' },
  });
  const sessions = await createClient(sessionsApi, { baseUrl: product.url }).listSessions();
  expect([scenarios.body.total, sessions.body.total]).toEqual([0, 0]);
  for (const part of ['exercises', 'identity', 'gateway'] as const)
    expect(product.logOf(part)).not.toContain('"level":50');
});

function chunked(bytes: number) {
  const headers = { ...json, 'transfer-encoding': 'chunked' };
  const piece = Buffer.alloc(64 * 1024, ' ');
  const chunks = Array.from({ length: Math.ceil(bytes / piece.length) }, () => piece);
  return ask(product.url, '/api/scenarios/', { method: 'POST', headers, chunks });
}
