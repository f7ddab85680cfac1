import { describe, expect, test } from '@jest/globals';
import { createBreaker } from './breaker.ts';

const OPEN_MS = 10_000;

function breakerAt() {
  const clock = { now: 0 };
  const breaker = createBreaker('exercises', OPEN_MS, () => clock.now);
  const fail = (times: number) => {
    for (let i = 0; i < times; i += 1) breaker.enter().failed();
  };
  return { clock, breaker, fail };
}

const retryAfter = (enter: () => unknown) => {
  try {
    enter();
  } catch (error) {
    return (error as { headers: Record<string, string> }).headers['retry-after'];
  }
  return undefined;
};

describe('breaker', () => {
  test('failures count only in a row', () => {
    const { breaker, fail } = breakerAt();
    fail(4);
    breaker.enter().succeeded();
    fail(4);
    expect(breaker.enter).not.toThrow();
  });

  test('says how long it stays open', () => {
    const { breaker, fail, clock } = breakerAt();
    fail(5);
    expect(retryAfter(breaker.enter)).toBe('10');
    clock.now = 9_500;
    expect(retryAfter(breaker.enter)).toBe('1');
  });

  test('a probe that its caller abandons makes room for another', () => {
    const { breaker, fail, clock } = breakerAt();
    fail(5);
    clock.now = OPEN_MS;
    const probe = breaker.enter();
    expect(breaker.enter).toThrow(/does not answer/);
    probe.abandoned();
    breaker.enter().succeeded();
    expect(breaker.enter).not.toThrow();
  });

  test('only the first word about a request counts', () => {
    const { breaker } = breakerAt();
    const passage = breaker.enter();
    passage.succeeded();
    for (let i = 0; i < 10; i += 1) passage.failed();
    expect(breaker.enter).not.toThrow();
  });

  test('bounds the requests at once', () => {
    const { breaker } = breakerAt();
    const passages = Array.from({ length: 500 }, () => breaker.enter());
    expect(breaker.enter).toThrow(/too much to do/);
    passages[0]?.abandoned();
    expect(breaker.enter).not.toThrow();
  });
});
