import { describe, expect, test } from '@jest/globals';
import { constant, date, double, integer, oneof, property, assert as sure } from 'fast-check';
import { intervalAfter, runAfter } from './schedule.ts';

const MINUTE_MS = 60_000;
const DUE = new Date('2026-03-01T09:30:00.000Z');
const at = (minutes: number) => new Date(DUE.getTime() + minutes * MINUTE_MS);

describe('a schedule', () => {
  test('keeps its pace when it runs a little late, and counts from now when it was long missed', () => {
    expect(runAfter(DUE, at(1), 60, 0.5)).toEqual(at(60));
    expect(runAfter(DUE, at(29), 60, 0.5)).toEqual(at(60));
    expect(runAfter(DUE, at(600), 60, 0.5)).toEqual(at(660));
  });

  test('spreads its runs by a twentieth to either side', () => {
    expect(intervalAfter(DUE, 60, 0)).toEqual(at(57));
    expect(intervalAfter(DUE, 60, 1)).toEqual(at(63));
  });

  test('always comes next in the future, and never more than an interval and its jitter away', () => {
    const late = oneof(constant(0), integer({ min: 0, max: 10_000_000 }));
    const random = double({ min: 0, max: 1, noNaN: true });
    const due = date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
    sure(
      property(due, late, integer({ min: 1, max: 10_080 }), random, (planned, lateMs, every, chance) => {
        const now = new Date(planned.getTime() + lateMs);
        const wait = runAfter(planned, now, every, chance).getTime() - now.getTime();
        expect(wait).toBeGreaterThan(0);
        expect(wait).toBeLessThanOrEqual(every * MINUTE_MS * 1.05);
      }),
    );
  });
});
