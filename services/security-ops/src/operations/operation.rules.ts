import { techniqueOf } from '@muster/attack';
import {
  OPERATION_STATUSES,
  type OperationInput,
  type OperationStatus,
  type ProblemDetail,
  TECHNIQUE_RESULTS,
  type TechniqueInput,
  type TestedTechnique,
} from '@muster/contracts';
import { resultOf } from './metrics.rules.ts';

const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2101, 0, 1);

/** The techniques as they are kept: under today's id, with their names and results. Call with what is not broken. */
export function testedTechniques(given: readonly TechniqueInput[]): TestedTechnique[] {
  return given.flatMap(({ technique: asked, red, blue: said, result }) => {
    const found = techniqueOf(asked);
    if (!found) return [];
    const blue = { ...said, detected: isDetected(said) };
    return [{ technique: found.id, name: found.name, red, blue, result: result ?? resultOf({ red, blue }) }];
  });
}

/** What a technique asked for is kept under. */
export const searchedTechnique = (id: string) => techniqueOf(id)?.id ?? id;

/** A moment of detection is a detection. */
const isDetected = ({ detected, detected_at }: TechniqueInput['blue']) => detected || detected_at !== null;

/** Everything that is wrong with an operation: techniques that do not exist, times and results that contradict. */
export function operationProblems(input: OperationInput): ProblemDetail[] {
  const ends = endsBeforeStart(input)
    ? [problem('/ended_at', 'before_start', 'the operation ends before it starts')]
    : [];
  return [
    ...outOfRange('/started_at', input.started_at),
    ...outOfRange('/ended_at', input.ended_at),
    ...ends,
    ...input.techniques.flatMap((one, at) => techniqueProblems(one, `/techniques/${at}`)),
  ];
}

function techniqueProblems(given: TechniqueInput, path: string): ProblemDetail[] {
  const { technique, red, blue, result } = given;
  const found = [
    ...outOfRange(`${path}/red/executed_at`, red.executed_at),
    ...outOfRange(`${path}/blue/detected_at`, blue.detected_at),
  ];
  if (!techniqueOf(technique)) {
    const message = `ATT&CK has no technique ${technique} today`;
    found.push(problem(`${path}/technique`, 'unknown_technique', message));
  }
  if (isBefore(blue.detected_at, red.executed_at)) {
    const message = 'it was detected before it was executed';
    found.push(problem(`${path}/blue/detected_at`, 'before_execution', message));
  }
  const shown = resultOf({ red, blue: { ...blue, detected: isDetected(blue) } });
  if (result && rank(result) > rank(shown)) {
    const message = `the result says ${result}, red and blue say ${shown}: leave it out and it follows from them`;
    found.push(problem(`${path}/result`, 'contradiction', message));
  }
  return found;
}

const rank = (result: TestedTechnique['result']) => TECHNIQUE_RESULTS.indexOf(result);
const isBefore = (one: string | null, other: string | null) =>
  one !== null && other !== null && Date.parse(one) < Date.parse(other);
const endsBeforeStart = ({ started_at, ended_at }: OperationInput) => isBefore(ended_at, started_at);
const problem = (path: string, code: string, message: string): ProblemDetail => ({
  path,
  code,
  message,
  in: 'body',
});

function outOfRange(path: string, time: string | null): ProblemDetail[] {
  if (time === null || isReasonable(Date.parse(time))) return [];
  return [problem(path, 'out_of_range', 'expected a year from 2000 to 2100')];
}

/** True for a moment (milliseconds) that an operation can have been at. */
export const isReasonable = (time: number) => time >= EARLIEST && time < LATEST;

/** True where an operation may go from one status to the other: it stays, or takes the next step, until it is completed. */
export function mayMove(from: OperationStatus, to: OperationStatus): boolean {
  const step = OPERATION_STATUSES.indexOf(to) - OPERATION_STATUSES.indexOf(from);
  return from !== 'completed' && (step === 0 || step === 1);
}

/**
 * When an operation began and ended. What is not given follows from what was noted: it began with its first execution,
 * or now where it has begun; a completed one ended with the last thing noted, or now.
 */
export function timesOf(
  input: OperationInput,
  now: Date,
): { started_at: Date | null; ended_at: Date | null } {
  const executed = momentsOf(input.techniques.map(({ red }) => red.executed_at));
  const noted = [...executed, ...momentsOf(input.techniques.map(({ blue }) => blue.detected_at))];
  const given = { start: momentsOf([input.started_at])[0], end: momentsOf([input.ended_at])[0] };
  const begun = input.status !== 'planned';
  const last = noted.length > 0 ? Math.max(...noted) : now.getTime();
  const end = given.end ?? (input.status === 'completed' ? Math.max(last, given.start ?? last) : undefined);
  const first = executed.length > 0 ? Math.min(...executed) : now.getTime();
  const start = given.start ?? (begun ? Math.min(first, end ?? first) : undefined);
  return { started_at: dateOf(start), ended_at: dateOf(end) };
}

const momentsOf = (times: readonly (string | null)[]) =>
  times.flatMap((time) => (time === null ? [] : [Date.parse(time)]));
const dateOf = (time: number | undefined) => (time === undefined ? null : new Date(time));
