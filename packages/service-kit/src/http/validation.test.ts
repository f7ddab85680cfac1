import { describe, expect, test } from '@jest/globals';
import { type Endpoint, pointer, queryInteger } from '@muster/contracts';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import { validated } from './validation.ts';

const item = z.strictObject({ name: z.string(), 'a/b': z.array(z.number()).optional() });
const declared = {
  method: 'POST',
  path: '/things/{id}/',
  summary: 'Of this test',
  description: 'Described.',
  role: 'viewer',
  params: z.object({ id: z.string().max(3) }),
  query: z.strictObject({ limit: queryInteger(1, 200).default(50) }),
  body: z.union([item, z.strictObject({ items: z.array(item) })]),
  responses: { 204: null },
} satisfies Endpoint;

const good = { params: { id: '1' }, query: {}, body: { name: 'x' } };

function failure(call: () => unknown): AppError {
  try {
    call();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('It was taken');
}
const errorsOf = (given: Partial<typeof good> | { body: unknown }) =>
  (failure(() => validated(declared, { ...good, ...given })).errors ?? []).map(
    ({ path, code, in: where }) => `${where} ${path} ${code}`,
  );

test('a good request comes out with its defaults and types', () => {
  const { params, query, body } = validated(declared, { ...good, query: { limit: '7' } });
  expect({ params, query, body }).toEqual({ params: { id: '1' }, query: { limit: 7 }, body: { name: 'x' } });
  expect(validated(declared, good).query).toEqual({ limit: 50 });
});

test('an impossible id is a 404, whatever else is wrong', () => {
  expect(failure(() => validated(declared, { ...good, params: { id: '1234' }, body: null })).code).toBe(
    'not-found',
  );
});

describe('a 422 names each field by a JSON pointer', () => {
  test.each([
    ['an unknown query field', { query: { lim: '1' } }, ['query /lim unrecognized_keys']],
    ['a query field given twice', { query: { limit: ['1', '2'] } }, ['query /limit invalid_type']],
    ['a limit beyond reason', { query: { limit: '1e9' } }, ['query /limit too_big']],
    ['no body', { body: undefined }, ['body  invalid_type']],
    ['an unknown field', { body: { name: 'x', org_id: 'y' } }, ['body /org_id unrecognized_keys']],
    ['a name with a slash', { body: { name: 'x', 'a/b': ['1'] } }, ['body /a~1b/0 invalid_type']],
    [
      'unknown fields, each by itself',
      { body: { name: 'x', p: 1, q: 2 } },
      ['body /p unrecognized_keys', 'body /q unrecognized_keys'],
    ],
    [
      'query and body together',
      { query: { limit: '0' }, body: { name: 1 } },
      ['query /limit too_small', 'body /name invalid_type'],
    ],
  ])('%s', (_what, given, expected) => {
    expect(errorsOf(given as never)).toEqual(expected);
  });

  test('of the form of a union that is meant', () => {
    expect(errorsOf({ body: { items: [{ name: 'x' }, { name: 2 }] } })).toEqual([
      'body /items/1/name invalid_type',
    ]);
  });

  test('one finding is the detail, several are counted', () => {
    const one = failure(() => validated(declared, { ...good, query: { limit: '0' } }));
    expect(one.message).toMatch(/>=1/);
    const two = failure(() => validated(declared, { ...good, body: { name: 'x', p: 1, q: 2 } }));
    expect(two.message).toBe('2 fields need another look.');
  });
});

describe('an endpoint without a body', () => {
  const { body: _none, ...bodiless } = declared;

  test.each([[undefined], [{}], [[]]])('takes %j', (body) => {
    expect(validated(bodiless, { ...good, body })).toMatchObject({ body: undefined });
  });

  test.each([[{ a: 1 }], [[1]], ['x'], [0], [null]])('refuses %j', (body) => {
    const { errors } = failure(() => validated(bodiless, { ...good, body }));
    expect(errors).toEqual([expect.objectContaining({ path: '', code: 'unexpected_body', in: 'body' })]);
  });
});

test('pointers escape what has a meaning in them', () => {
  expect(pointer([])).toBe('');
  expect(pointer(['a', 0, '~/'])).toBe('/a/0/~0~1');
});

test('bad input of any size is answered in some 100 KB at most', () => {
  const keys = Array.from({ length: 150_000 }, (_, at) => [`unknown${at}`, 1]);
  const many = failure(() =>
    validated(declared, { ...good, body: { name: 'x', ...Object.fromEntries(keys) } }),
  );
  expect(many.message).toBe('150000 fields need another look. The first 100 are named.');
  expect(many.errors).toHaveLength(100);
  const long = failure(() => validated(declared, { ...good, body: { name: 'x', ['k'.repeat(900_000)]: 1 } }));
  for (const { message, errors } of [many, long])
    expect(JSON.stringify([message, errors]).length).toBeLessThan(100_000);
});
