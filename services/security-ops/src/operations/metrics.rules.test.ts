import { describe, expect, test } from '@jest/globals';
import { TECHNIQUE_RESULTS, type TestedTechnique } from '@muster/contracts';
import fc from 'fast-check';
import { metricsOf, minutesToDetect, resultOf, wasExecuted } from './metrics.rules.ts';

type Sides = Pick<TestedTechnique, 'red' | 'blue'>;
const sides = (red: Partial<Sides['red']> = {}, blue: Partial<Sides['blue']> = {}): Sides => ({
  red: { executed_at: null, outcome: null, notes: '', ...red },
  blue: { detected: false, detected_at: null, prevented: false, source: null, notes: '', ...blue },
});
const ran = { executed_at: '2026-03-01T09:00:00.000Z' };

describe('the result', () => {
  test.each<[string, Sides, TestedTechnique['result']]>([
    ['nothing at all', sides(), 'not_run'],
    ['a log source alone', sides({}, { source: 'EDR' }), 'not_run'],
    ['an execution', sides(ran), 'missed'],
    ['an outcome without a time', sides({ outcome: 'failed' }), 'missed'],
    ['an execution that a log shows', sides(ran, { source: 'EDR' }), 'logged'],
    ['a detection', sides(ran, { detected: true, source: 'EDR' }), 'detected'],
    ['a detection whose execution nobody noted', sides({}, { detected: true }), 'detected'],
    ['detected and prevented', sides(ran, { detected: true, prevented: true }), 'prevented'],
  ])('of %s', (_name, given, result) => {
    expect(resultOf(given)).toBe(result);
  });
});

test('one that was prevented and detected counts as both', () => {
  const both = sides(ran, { detected: true, prevented: true, detected_at: '2026-03-01T09:00:30.000Z' });
  expect(metricsOf([{ technique: 'T1486', ...both, result: 'prevented' }])).toEqual({
    executed: 1,
    prevented: 1,
    detected: 1,
    detection_rate: 1,
    prevention_rate: 1,
    mean_minutes_to_detect: 0.5,
  });
});

describe('for any techniques', () => {
  const moment = fc
    .integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2100, 0, 1) })
    .map((time) => new Date(time).toISOString());
  const any = fc
    .record({
      executed_at: fc.option(moment),
      minutes: fc.option(fc.integer({ min: 0, max: 100_000 })),
      outcome: fc.option(fc.constant('succeeded')),
      detected: fc.boolean(),
      prevented: fc.boolean(),
      source: fc.option(fc.constant('EDR')),
      given: fc.option(fc.constantFrom(...TECHNIQUE_RESULTS)),
    })
    .map(({ executed_at, minutes, outcome, detected, prevented, source, given }) => {
      const at =
        executed_at && minutes !== null && detected ? Date.parse(executed_at) + minutes * 60_000 : null;
      const detected_at = at === null ? null : new Date(at).toISOString();
      const both = sides({ executed_at, outcome }, { detected, prevented, source, detected_at });
      return { technique: 'T1486', ...both, result: given ?? resultOf(both) };
    });

  test('the metrics keep their bounds', () => {
    fc.assert(
      fc.property(fc.array(any, { maxLength: 60 }), (techniques) => {
        const metrics = metricsOf(techniques);
        const { executed, prevented, detected, detection_rate, prevention_rate } = metrics;
        expect(executed).toBeLessThanOrEqual(techniques.length);
        expect(prevented).toBeLessThanOrEqual(executed);
        expect(detected).toBeLessThanOrEqual(executed);
        for (const rate of [detection_rate, prevention_rate]) {
          if (executed === 0) expect(rate).toBeNull();
          else expect(rate).toBe(Math.min(1, Math.max(0, rate ?? -1)));
        }
        const minutes = techniques
          .filter(({ result }) => result !== 'not_run')
          .flatMap((one) => minutesToDetect(one) ?? []);
        const mean = metrics.mean_minutes_to_detect;
        if (minutes.length === 0) return expect(mean).toBeNull();
        expect(mean).toBeGreaterThanOrEqual(Math.min(...minutes) - 0.01);
        expect(mean).toBeLessThanOrEqual(Math.max(...minutes) + 0.01);
      }),
    );
  });

  test('their order changes nothing, and what was not run neither', () => {
    fc.assert(
      fc.property(fc.array(any, { maxLength: 30 }), (techniques) => {
        const idle = { technique: 'T1486', ...sides(), result: 'not_run' as const };
        expect(metricsOf([idle, ...techniques.toReversed()])).toEqual(metricsOf(techniques));
      }),
    );
  });

  test('only what was executed has a result', () => {
    fc.assert(
      fc.property(any, (one) => {
        expect(resultOf(one) === 'not_run').toBe(!wasExecuted(one));
      }),
    );
  });
});
