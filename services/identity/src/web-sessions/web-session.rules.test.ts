import { describe, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import {
  cookieOf,
  digestOf,
  endOf,
  isSecretOf,
  isSeenAgain,
  newSecret,
  readCookie,
  revokedUntil,
  tokenEnd,
} from './web-session.rules.ts';

const NOW = new Date('2026-03-01T09:30:00.500Z');
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

describe('a cookie', () => {
  const parts = { org: v7(), id: v7(), secret: newSecret() };

  test('reads as it was written', () => {
    expect(readCookie(cookieOf(parts))).toEqual(parts);
  });

  test.each(['', '.', 'a.b.c', `${parts.org}.${parts.id}`, `${cookieOf(parts)}.x`, `${cookieOf(parts)}=`])(
    '"%s" is none',
    (value) => {
      expect(readCookie(value)).toBeNull();
    },
  );

  test('has a secret that is another each time and fits its own digest only', () => {
    const [one, other] = [newSecret(), newSecret()];
    expect(one).toMatch(/^[\w-]{43}$/);
    expect(isSecretOf(one, digestOf(one))).toBe(true);
    expect(isSecretOf(other, digestOf(one))).toBe(false);
    expect(isSecretOf(one, 'short')).toBe(false);
  });
});

describe('a session', () => {
  test('ends when nobody comes, and at its absolute end at the latest', () => {
    const times = { last_seen_at: NOW, expires_at: after(3600) };
    expect(endOf(times, 30)).toEqual(after(1800));
    expect(endOf(times, 120)).toEqual(after(3600));
  });

  test('gives tokens of five minutes that never outlive it', () => {
    const now = Math.floor(NOW.getTime() / 1000);
    expect(tokenEnd(after(3600), NOW)).toBe(now + 300);
    expect(tokenEnd(after(60), NOW)).toBe(now + 60);
    expect(tokenEnd(after(60.4), NOW) * 1000).toBeLessThanOrEqual(after(60.4).getTime());
  });

  test('is remembered as ended for longer than its last token could live', () => {
    expect(revokedUntil(NOW).getTime()).toBeGreaterThan(tokenEnd(after(3600), NOW) * 1000);
  });

  test('is written down as in use once a minute', () => {
    expect(isSeenAgain(NOW, after(59.9))).toBe(false);
    expect(isSeenAgain(NOW, after(60))).toBe(true);
  });
});
