import { expect, test } from '@jest/globals';
import { failureOf, timedOut, vanished } from './problem.rules.ts';

const job = { id: 'j1', requestId: 'req-1' };

test('an error with a code of the contracts speaks for itself; a client error is final', () => {
  const error = Object.assign(new Error('There is no such tenant.'), { code: 'not-found' });
  expect(failureOf(error, job)).toEqual({
    final: true,
    problem: {
      type: 'urn:muster:problem:not-found',
      title: 'Not found',
      status: 404,
      detail: 'There is no such tenant.',
      instance: '/api/jobs/j1',
      request_id: 'req-1',
    },
  });
});

test.each(['unavailable', 'bad-gateway', 'rate-limited', 'conflict', 'in-progress'])(
  '%s may pass',
  (code) => {
    expect(failureOf(Object.assign(new Error('later'), { code }), job).final).toBe(false);
  },
);

test.each([
  new TypeError('x is undefined at line 7'),
  Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
  'oops',
  undefined,
])('%p is kept from people', (error) => {
  const { problem, final } = failureOf(error, job);
  expect(problem.status).toBe(500);
  expect(problem.detail).toContain('req-1');
  expect(JSON.stringify(problem)).not.toMatch(/line 7|refused|oops|stack/);
  expect(final).toBe(false);
});

test('deadlines and vanished workers have their own words', () => {
  expect(failureOf(timedOut(90_000), job).problem).toMatchObject({
    status: 504,
    detail: expect.stringContaining('90 s'),
  });
  expect(failureOf(vanished(5), job).problem.detail).toContain('5 times');
});
