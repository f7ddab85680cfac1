import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { apis } from '../catalogue.ts';
import { platformApis } from '../platform/platform.api.ts';
import { href } from './client.ts';
import type { Api, Endpoint, Method } from './endpoint.ts';
import { type RouteAnswer, routeTable } from './routes.ts';

const ID = '01923f5e-7b1a-7c3d-9e2f-5a6b7c8d9e0f';
const product = routeTable([...apis, ...platformApis('exercises')]);

/** An answer in one line: `getSession id=…`, `308 /api/sessions/`, `405 GET, HEAD`, `404`. */
function said(answer: RouteAnswer): string {
  if (answer.kind === 'redirect') return `308 ${answer.path}`;
  if (answer.kind === 'method-not-allowed') return `405 ${answer.allow.join(', ')}`;
  if (answer.kind === 'not-found') return '404';
  const params = Object.entries(answer.match.params).map(([name, value]) => ` ${name}=${value}`);
  return answer.match.route.name + params.join('');
}

describe('find', () => {
  test.each([
    ['GET', '/api/sessions/', 'listSessions'],
    ['HEAD', '/api/sessions/', 'listSessions'],
    ['POST', '/api/sessions/', 'createSession'],
    ['GET', `/api/sessions/${ID}/`, `getSession id=${ID}`],
    ['GET', `/api/jobs/${ID}/stream`, `streamJob id=${ID}`],
    ['GET', '/api/sessions/nonsense/', 'getSession id=nonsense'],
    ['DELETE', '/api/scenarios/a.json', 'deleteScenario filename=a.json'],
    ['GET', '/a.json', 'getScenario filename=a.json'],
    ['HEAD', '/a.json', 'getScenario filename=a.json'],

    ['GET', '/api/sessions', '308 /api/sessions/'],
    ['POST', '/api/sessions', '308 /api/sessions/'],
    ['GET', '/a.json/', '308 /a.json'],
    ['PUT', '/api/sessions', '308 /api/sessions/'],
    ['OPTIONS', '/api/sessions', '308 /api/sessions/'],
    ['GET', `/auth/tokens/${ID}`, `308 /auth/tokens/${ID}/`],
    ['DELETE', `/auth/tokens/${ID}/`, `308 /auth/tokens/${ID}`],

    ['PUT', '/api/sessions/', '405 GET, POST, HEAD, OPTIONS'],
    ['OPTIONS', '/api/sessions/', '405 GET, POST, HEAD, OPTIONS'],
    ['HEAD', '/api/scenarios/', '405 POST, OPTIONS'],
    ['POST', '/a.json', '405 GET, HEAD, OPTIONS'],
    ['get', '/api/sessions/', '405 GET, POST, HEAD, OPTIONS'],
    ['PUT', `/auth/tokens/${ID}`, '405 DELETE, OPTIONS'],

    ['GET', '/', '404'],
    ['GET', '', '404'],
    ['GET', '*', '404'],
    ['GET', '/api/', '404'],
    ['GET', '/api/sessions/x/y/z/', '404'],
    ['GET', '/favicon.ico', '404'],
    ['GET', '/A.JSON', '404'],
    ['POST', '/index.html', '404'],
    ['GET', '/API/sessions/', '404'],
  ])('%s %s: %s', (method, path, expected) => {
    expect(said(product.find(method, path))).toBe(expected);
  });
});

describe('percent signs and slashes', () => {
  test.each([
    ['GET', '/a%2Djson.json', 'getScenario filename=a-json.json'],
    ['GET', '/a%2Fb.json', '404'],
    ['GET', '/..%2Fetc.json', '404'],
    ['GET', '/%', '404'],
    ['GET', '/%FF.json', '404'],
    ['GET', '/%61pi/sessions/', '404'],
    ['DELETE', '/api/scenarios/%E0%A4%A', '404'],
    ['DELETE', '/api/scenarios/a%2Fb', 'deleteScenario filename=a/b'],
    ['DELETE', '/api/scenarios/a%252Fb', 'deleteScenario filename=a%2Fb'],
    ['DELETE', '/api/scenarios/a+b', 'deleteScenario filename=a+b'],
    ['GET', '//', '404'],
    ['GET', '//a.json', '404'],
    ['GET', '//a.json/', '404'],
    ['GET', '//api/sessions/', '404'],
    ['GET', '/api//sessions/', '404'],
    ['GET', '/api/sessions//', '404'],
    ['DELETE', `/auth/tokens/${ID}//`, '404'],
    ['GET', '/api/sessions//scores/', '404'],
  ])('%s %s: %s', (method, path, expected) => {
    expect(said(product.find(method, path))).toBe(expected);
  });
});

const answering = (method: Method, path: `/${string}`): Endpoint => ({
  method,
  path,
  summary: 'Of this test',
  description: 'Described.',
  role: 'viewer',
  responses: { 204: null },
});
const tableOf = (endpoints: Record<string, Endpoint>) =>
  routeTable([{ service: 'twin', tag: 'Test', about: 'Tested.', endpoints }]);

describe('literal and placeholder', () => {
  const literal = answering('GET', '/things/latest/');
  const placeholder = answering('GET', '/things/{id}/');

  test.each([
    ['first', { literal, placeholder }],
    ['last', { placeholder, literal }],
  ])('a literal segment wins, declared %s', (_when, endpoints) => {
    const table = tableOf(endpoints);
    expect(said(table.find('GET', '/things/latest/'))).toBe('literal');
    expect(said(table.find('GET', '/things/older/'))).toBe('placeholder id=older');
  });

  test('the earlier literal wins over the later one', () => {
    const table = tableOf({ late: answering('GET', '/{a}/x/'), early: answering('GET', '/x/{b}/') });
    expect(said(table.find('GET', '/x/x/'))).toBe('early b=x');
    expect(said(table.find('GET', '/y/x/'))).toBe('late a=y');
  });

  test('a name at the root must fit its schema, or it is an unknown path', () => {
    const params = z.object({ name: z.string().regex(/^[a-z]+$/) });
    const table = tableOf({ root: { ...answering('GET', '/{name}'), params } });
    expect(said(table.find('GET', '/abc'))).toBe('root name=abc');
    expect(said(table.find('POST', '/abc'))).toBe('405 GET, HEAD, OPTIONS');
    expect(said(table.find('POST', '/ABC'))).toBe('404');
  });
});

const filename = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,20}\.json$/);
const segment = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/^\.{1,2}$/.test(text));

/** A route of the product with values for its placeholders. */
const filled = fc.constantFrom(...product.routes).chain((route) => {
  const names = [...route.endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const values = fc.record(Object.fromEntries(names.map((name) => [name, valueAt(route.segments.length)])));
  return values.map((params) => ({ route, params }));
});
const valueAt = (depth: number) => (depth === 1 ? filename : segment);

describe('laws', () => {
  test('what href makes of any values leads back to them, also past a URL', () => {
    fc.assert(
      fc.property(filled, ({ route, params }) => {
        const path = href(route.endpoint.path, params);
        expect(new URL(path, 'http://muster.test').pathname).toBe(path);
        const found = product.find(route.endpoint.method, path);
        expect(found).toEqual({ kind: 'match', match: { route, params } });
      }),
    );
  });

  /** Addresses at and around the declared ones: other values, a slash more or less, a segment more or less. */
  const paths = fc
    .record({
      segments: fc.constantFrom(...product.routes.map((route) => route.segments)),
      value: fc.constantFrom(ID, 'a.json', 'sessions', '%', ''),
      turn: fc.constantFrom('as it is', 'slash', 'second slash', 'shorter', 'longer', 'doubled first'),
    })
    .map(({ segments, value, turn }) => {
      const path = `/${segments.map((one) => (one.startsWith('{') ? value : one)).join('/')}`;
      if (turn === 'slash') return path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
      if (turn === 'second slash') return `${path}/`;
      if (turn === 'shorter') return path.replace(/[^/]+\/?$/, '');
      if (turn === 'longer') return `${path}more/`;
      return turn === 'doubled first' ? `/${path}` : path;
    });
  const methods = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS');

  test('a redirect leads to an address that takes something, here, and not on to another redirect', () => {
    let seen = 0;
    fc.assert(
      fc.property(methods, paths, (method, path) => {
        const answer = product.find(method, path);
        if (answer.kind !== 'redirect') return;
        seen += 1;
        expect(answer.path).toMatch(/^\/[^/]/);
        expect(['match', 'method-not-allowed']).toContain(product.find(method, answer.path).kind);
      }),
      { numRuns: 1000 },
    );
    expect(seen).toBeGreaterThan(100);
  });

  test('every method that a 405 allows is one the address takes', () => {
    let seen = 0;
    fc.assert(
      fc.property(methods, paths, (method, path) => {
        const answer = product.find(method, path);
        if (answer.kind !== 'method-not-allowed') return;
        seen += 1;
        expect(answer.allow).not.toContain(method === 'OPTIONS' ? 'TRACE' : method);
        for (const allowed of answer.allow.filter((one) => one !== 'OPTIONS'))
          expect(product.find(allowed, path).kind).toBe('match');
      }),
      { numRuns: 1000 },
    );
    expect(seen).toBeGreaterThan(100);
  });

  test('any path at all gets an answer', () => {
    const anything = fc.string({ unit: 'binary' });
    fc.assert(fc.property(fc.string(), anything, (method, path) => void product.find(method, path)));
  });
});

test('no two endpoints of the product share a method and an address', () => {
  const addresses = product.routes.map(
    ({ endpoint }) => `${endpoint.method} ${endpoint.path.replace(/\{\w+\}/g, '{}')}`,
  );
  expect(new Set(addresses).size).toBe(addresses.length);
});

test('a table can be made of no API', () => {
  expect(routeTable([] as Api[]).find('GET', '/a')).toEqual({ kind: 'not-found' });
});
