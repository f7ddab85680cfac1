import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Problem, scenariosApi } from '@muster/contracts';
import { gatewayProofs, PROOF_HEADER } from '@muster/service-kit';
import { ask, startTestService, TEST_SECRET, type TestService } from '@muster/testing';
import { exercises } from '../src/service.ts';
import { scenarioUpload } from './fixtures.ts';

const MEBIBYTE = 1024 * 1024;
let service: TestService;
let stored: number;

const total = async () => (await service.client(scenariosApi).listScenarios()).body.total;

beforeAll(async () => {
  service = await startTestService(exercises);
  stored = await total();
});
afterAll(async () => service.stop());

const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  service.fetch(`${service.url}/api/scenarios/`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const upload = (changes: object) =>
  JSON.stringify({ ...scenarioUpload({ filename: 'bad.json' }), ...changes });

test.each([
  ['malformed JSON', 400, 'malformed-json', () => post('{"title": ')],
  ['no body at all', 422, 'validation-failed', () => post('')],
  ['bytes that are not UTF-8', 400, 'malformed-json', () => post(new Uint8Array([0x22, 0xff, 0x22]))],
  ['a wrong type', 422, 'validation-failed', () => post(upload({ duration_minutes: 'long' }))],
  ['an unknown field', 422, 'validation-failed', () => post(upload({ colour: 'red' }))],
  [
    'a __proto__ key',
    422,
    'validation-failed',
    () => post(upload({}).replace('{', '{"__proto__":{"role":"owner"},')),
  ],
  ['a key with $', 422, 'validation-failed', () => post(upload({ title: { $ne: null } }))],
  ['a dotted key', 422, 'validation-failed', () => post(upload({ 'threat.actor': 'x' }))],
  ['depth 1000', 422, 'validation-failed', () => post(nested(1000))],
  ['depth 100 000', 422, 'validation-failed', () => post(nested(100_000))],
  ['5 MiB + 1', 413, 'too-large', () => post(`"${'x'.repeat(5 * MEBIBYTE - 1)}"`)],
  ['a filename with ..', 422, 'validation-failed', () => post(upload({ filename: '../../etc/passwd.json' }))],
  ['a filename with NUL', 422, 'validation-failed', () => post(upload({ filename: 'a\0.json' }))],
  [
    'a filename of 300 characters',
    422,
    'validation-failed',
    () => post(upload({ filename: `${'a'.repeat(295)}.json` })),
  ],
  [
    'an impossible technique',
    422,
    'validation-failed',
    () => post(upload({ threat: { techniques: ['T99'] } })),
  ],
  [
    'a type it does not take',
    415,
    'unsupported-media-type',
    () => post('<a/>', { 'content-type': 'application/xml' }),
  ],
  ['malformed YAML', 400, 'malformed-yaml', () => post('a: [', { 'content-type': 'application/yaml' })],
  ['a YAML bomb', 400, 'malformed-yaml', () => post(yamlBomb(), { 'content-type': 'application/yaml' })],
  [
    'a form without a file',
    422,
    'validation-failed',
    () => post('--x--\r\n', { 'content-type': 'multipart/form-data; boundary=x' }),
  ],
  ['an unknown Prefer', 400, 'malformed-header', () => post(upload({}), { prefer: 'return=minimal' })],
  ['a wait that is too long', 400, 'malformed-header', () => post(upload({}), { prefer: 'wait=61' })],
  [
    'an endless Idempotency-Key',
    400,
    'malformed-header',
    () => post(upload({}), { 'idempotency-key': 'k'.repeat(256) }),
  ],
  [
    'an unknown query field',
    422,
    'validation-failed',
    () => service.fetch(`${service.url}/api/list-scenarios/?colour=red`),
  ],
  [
    'a limit beyond reason',
    422,
    'validation-failed',
    () => service.fetch(`${service.url}/api/list-scenarios/?limit=1e9`),
  ],
  ['a percent sign alone', 404, 'not-found', () => raw('GET /%')],
  ['%2e%2e', 404, 'not-found', () => raw('GET /%2e%2e')],
  ['..', 404, 'not-found', () => raw('GET /..')],
  ['NUL in an address', 404, 'not-found', () => raw('GET /a%00.json')],
  ['an address of 300 characters', 404, 'not-found', () => raw(`GET /${'a'.repeat(300)}.json`)],
  ['an id that is none', 404, 'not-found', () => raw('GET /api/sessions/%24ne/')],
  ['another method', 405, 'method-not-allowed', () => raw('PUT /api/sessions/')],
  [
    'a token that is none',
    401,
    'unauthorized',
    () => service.fetch(`${service.url}/api/sessions/`, { headers: { authorization: 'Bearer x' } }),
  ],
  [
    'another kind of authorization',
    401,
    'unauthorized',
    () => service.fetch(`${service.url}/api/sessions/`, { headers: { authorization: 'Basic eDp5' } }),
  ],
] as const)('%s gets a clear problem answer and stores nothing', async (_name, status, slug, send) => {
  const answer = await send();
  const problem = (await answer.json()) as Problem;
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
  expect(problem).toMatchObject({
    type: `urn:muster:problem:${slug}`,
    status,
    request_id: expect.stringMatching(/./),
  });
  expect(problem.detail).not.toBe('');
  expect(JSON.stringify(problem)).not.toMatch(/node_modules|\.ts:\d|at \w+ \(/);
  if (status === 422) expect(problem.errors?.length).toBeGreaterThan(0);
  if (status === 401) expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  if (status === 405) expect(answer.headers.get('allow')).toContain('POST');
  expect(await total()).toBe(stored);
});

test('a path with the slash missing or too many leads to the canonical one, its query kept', async () => {
  for (const [given, canonical] of [
    ['/api/list-scenarios?limit=1', '/api/list-scenarios/?limit=1'],
    ['/ransomware-hospital.json/', '/ransomware-hospital.json'],
  ]) {
    const answer = await service.fetch(service.url + given, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([308, canonical]);
  }
});

test('a request id that is sane comes back, another one is replaced', async () => {
  const ask = async (id: string) =>
    (await service.fetch(`${service.url}/api/sessions/`, { headers: { 'x-request-id': id } })).headers.get(
      'x-request-id',
    );
  expect(await ask('from-the-caller.1')).toBe('from-the-caller.1');
  expect(await ask('<script>')).toMatch(/^req-/);
});

function yamlBomb(): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 12; level += 1) {
    lines.push(
      `a${level}: &a${level} [${Array(9)
        .fill(`*a${level - 1}`)
        .join(', ')}]`,
    );
  }
  return lines.join('\n');
}

/** A request whose address no client library may tidy up first. */
async function raw(line: string): Promise<Response> {
  const [method, path = ''] = line.split(' ');
  const proof = gatewayProofs(TEST_SECRET).make({ method, url: path });
  const asked = { method, headers: { [PROOF_HEADER]: proof } };
  const { status, headers, text } = await ask(service.url, path, asked);
  return new Response(text, { status, headers: Object.entries(headers) as [string, string][] });
}
