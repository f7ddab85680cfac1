import type { OperationMetrics, TechniqueResult, TestedTechnique } from '@muster/contracts';

const MINUTE_MS = 60_000;

type Sides = Pick<TestedTechnique, 'red' | 'blue'>;

/** True for a technique that the red side ran: they say when or with what outcome, or the blue side met it. */
export function wasExecuted({ red, blue }: Sides): boolean {
  return red.executed_at !== null || red.outcome !== null || blue.detected || blue.prevented;
}

/** The result that the two sides' notes amount to: prevented before detected, logged, missed; not_run without execution. */
export function resultOf(sides: Sides): TechniqueResult {
  if (!wasExecuted(sides)) return 'not_run';
  const { prevented, detected, source } = sides.blue;
  if (prevented) return 'prevented';
  if (detected) return 'detected';
  return source === null ? 'missed' : 'logged';
}

/** Minutes from execution to detection, to two digits; null where one of the times is not known. */
export function minutesToDetect({ red, blue }: Sides): number | null {
  if (red.executed_at === null || blue.detected_at === null) return null;
  return rounded((Date.parse(blue.detected_at) - Date.parse(red.executed_at)) / MINUTE_MS, 2);
}

/** What the techniques of an operation add up to. A technique that was tried twice counts twice. */
export function metricsOf(techniques: readonly Omit<TestedTechnique, 'name'>[]): OperationMetrics {
  const ran = techniques.filter(({ result }) => result !== 'not_run');
  const prevented = ran.filter(({ result }) => result === 'prevented').length;
  const detected = ran.filter(({ result, blue }) => result === 'detected' || blue.detected).length;
  const minutes = ran.map(minutesToDetect).filter((one) => one !== null);
  const share = (count: number) => (ran.length === 0 ? null : rounded(count / ran.length, 4));
  const total = minutes.reduce((sum, one) => sum + one, 0);
  return {
    executed: ran.length,
    prevented,
    detected,
    detection_rate: share(detected),
    prevention_rate: share(prevented),
    mean_minutes_to_detect: minutes.length === 0 ? null : rounded(total / minutes.length, 2),
  };
}

const rounded = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits;
