import { describe, expect, test } from '@jest/globals';
import { noticeOf, paceOf, statusOf } from './feed.rules.ts';

const feed = { enabled: true, every_minutes: 360, consecutive_failures: 0, last_fetch: { ok: true } };

describe('a feed that fails', () => {
  test('is read half as often each time, at least once a day', () => {
    expect([0, 1, 2, 3, 60].map((failures) => paceOf(360, failures))).toEqual([360, 720, 1440, 1440, 1440]);
  });

  test('that is read more rarely than daily stays at its pace', () => {
    expect(paceOf(10_080, 3)).toBe(10_080);
  });

  test('says what happens next', () => {
    const failing = { ...feed, last_fetch: { ok: false } };
    expect(noticeOf({ ...failing, consecutive_failures: 1 })).toBe(
      'The last reading failed: it is tried again every 12 hours, and every 6 hours again once it answers.',
    );
    expect(noticeOf({ ...failing, consecutive_failures: 4, every_minutes: 90 })).toBe(
      'The last 4 readings failed: it is tried again every day, and every 90 minutes again once it answers.',
    );
    expect(noticeOf({ ...failing, consecutive_failures: 2, every_minutes: 1440 })).toBe(
      'The last 2 readings failed: it is tried again every day.',
    );
  });
});

test('a feed that does well needs no notice; one that is disabled says so', () => {
  expect([statusOf(feed), noticeOf(feed)]).toEqual(['ok', null]);
  expect([statusOf({ ...feed, last_fetch: null }), noticeOf({ ...feed, last_fetch: null })]).toEqual([
    ...['waiting', null],
  ]);
  const disabled = { ...feed, enabled: false };
  expect(statusOf(disabled)).toBe('disabled');
  expect(noticeOf(disabled)).toContain('enabled again');
});
