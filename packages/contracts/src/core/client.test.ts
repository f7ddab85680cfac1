import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { createClient, href, ProblemError } from './client.ts';
import { api, endpoint } from './endpoint.ts';
import { problemBody } from './problem.ts';

const body = z.object({ name: z.string() });
const things = api({
  service: 'twin',
  tag: 'Things',
  about: 'Tested.',
  endpoints: {
    list: endpoint({
      method: 'GET',
      path: '/things/',
      summary: 'List things',
      description: 'Described.',
      role: 'viewer',
      query: z.object({
        q: z.string().optional(),
        limit: z.number().optional(),
        all: z.boolean().optional(),
      }),
      responses: { 200: z.object({ n: z.number() }) },
    }),
    create: endpoint({
      method: 'POST',
      path: '/things/{id}/parts/',
      summary: 'Add a part',
      description: 'Described.',
      role: 'viewer',
      params: z.object({ id: z.string() }),
      body,
      responses: { 201: z.object({ n: z.number() }) },
    }),
  },
});

interface Received {
  method?: string;
  url?: string;
  headers: IncomingMessage['headers'];
  body: string;
}
/** What the server answers next, and what it was asked last. */
let answer: { status: number; headers?: Record<string, string>; body?: string } = { status: 200 };
let received: Received;
const server = createServer(async (request, response) => {
  const { method, url, headers } = request;
  received = { method, url, headers, body: await text(request) };
  response.writeHead(answer.status, answer.headers).end(answer.body);
});
const clientOf = (more: { token?: string; headers?: Record<string, string> } = {}) =>
  createClient(things, { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ...more });

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const PROBLEM_TYPE = { 'content-type': 'application/problem+json' };

beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => once(server.close(), 'close'));

async function failureOf(call: Promise<unknown>): Promise<ProblemError> {
  const raised = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(raised instanceof ProblemError)) throw new Error(`No problem, but ${raised}`);
  return raised;
}

describe('a request', () => {
  test('has the path filled, a JSON body and its type', async () => {
    answer = { status: 201, headers: { ...JSON_TYPE, location: '/x' }, body: '{"n":1}' };
    const created = await clientOf({ token: 'a.b.c', headers: { 'x-all': '1' } }).create(
      { params: { id: 'a/b é' }, body: { name: 'x' } },
      { headers: { 'idempotency-key': 'k' } },
    );
    expect(created).toMatchObject({ status: 201, body: { n: 1 } });
    expect(created.headers.get('location')).toBe('/x');
    expect(received).toMatchObject({
      method: 'POST',
      url: '/things/a%2Fb%20%C3%A9/parts/',
      body: '{"name":"x"}',
      headers: {
        authorization: 'Bearer a.b.c',
        'content-type': 'application/json',
        'idempotency-key': 'k',
        'x-all': '1',
      },
    });
  });

  test('has the query encoded, undefined fields left out', async () => {
    answer = { status: 200, headers: JSON_TYPE, body: '{"n":0}' };
    await clientOf().list({ query: { q: 'a&b=c #é+', limit: 5, all: undefined } });
    expect(received.url).toBe('/things/?q=a%26b%3Dc+%23%C3%A9%2B&limit=5');
    await clientOf().list({ query: { all: false } });
    expect(received.url).toBe('/things/?all=false');
    await clientOf().list();
    expect(received).toMatchObject({ method: 'GET', url: '/things/', body: '' });
    expect(received.headers).not.toHaveProperty('content-type');
    expect(received.headers).not.toHaveProperty('authorization');
  });

  test('can send any bytes with their own type', async () => {
    answer = { status: 201, headers: JSON_TYPE, body: '{"n":1}' };
    const yaml = { rawBody: 'name: x', headers: { 'content-type': 'application/yaml' } };
    await clientOf().create({ params: { id: '1' }, body: { name: 'unsent' } }, yaml);
    expect(received).toMatchObject({ body: 'name: x', headers: { 'content-type': 'application/yaml' } });
  });

  test('stops when its signal aborts', async () => {
    const stopped = clientOf().list({}, { signal: AbortSignal.abort() });
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('an answer', () => {
  test.each([204, 304])('%i has no body and is no error', async (status) => {
    answer = { status, headers: { etag: '"1"' } };
    const got = await clientOf().list({}, { headers: { 'if-none-match': '"1"' } });
    expect(got).toMatchObject({ status, body: undefined });
    expect(got.headers.get('etag')).toBe('"1"');
  });

  test('that is a problem is raised whole, with what a service added to it', async () => {
    const about = { detail: 'Gone.', instance: '/things/', requestId: 'req-1' };
    const problem = { ...problemBody('not-found', about), job: { id: 1 } };
    answer = {
      status: 404,
      headers: { ...PROBLEM_TYPE, 'retry-after': '1' },
      body: JSON.stringify(problem),
    };
    const raised = await failureOf(clientOf().list());
    expect(raised).toMatchObject({ status: 404, problem, message: '404 Not found: Gone.' });
    expect(raised.headers.get('retry-after')).toBe('1');
  });

  test.each([
    ['text', { 'content-type': 'text/html' }, '<h1>No</h1>', '<h1>No</h1>'],
    ['what only claims to be JSON', JSON_TYPE, '<h1>No</h1>', '<h1>No</h1>'],
    ['nothing', {}, '', ''],
  ])('that is an error with %s is a problem too', async (_what, headers, sent, detail) => {
    answer = { status: 502, headers, body: sent };
    const raised = await failureOf(clientOf().list());
    expect(raised.problem).toMatchObject({ type: 'about:blank', status: 502, detail, instance: '/things/' });
  });

  test('that leads elsewhere is not followed: the path was not the declared one', async () => {
    answer = { status: 308, headers: { location: '/elsewhere' } };
    expect(await failureOf(clientOf().list())).toMatchObject({ status: 308 });
    expect(received.url).toBe('/things/');
  });

  test('of success that is no JSON although it says so is an error', async () => {
    answer = { status: 200, headers: JSON_TYPE, body: '{"n":' };
    await expect(clientOf().list()).rejects.toThrow(SyntaxError);
  });
});

describe('href', () => {
  test.each([[undefined], [null], [''], ['.'], ['..']])(
    'refuses %j, which would lead to another endpoint',
    (given) => {
      expect(() => href('/things/{id}/', { id: given })).toThrow('cannot stand for id in a path');
    },
  );

  test('keeps a value in its segment', () => {
    expect(href('/a/{x}/{y}/', { x: '../..', y: '?#%' })).toBe('/a/..%2F../%3F%23%25/');
  });
});
