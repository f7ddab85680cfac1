import { PROBLEMS, type Problem, type ProblemCode, type ProblemDetail, problemBody } from '@muster/contracts';

/** What is kept of an error that ended a run, and whether another run could go better. */
export interface RunFailure {
  problem: Problem;
  final: boolean;
}

/** Client errors that another run may not meet. */
const PASSING: ReadonlySet<ProblemCode> = new Set(['conflict', 'in-progress', 'rate-limited']);

/**
 * An error that carries a code of the contracts speaks for itself; any other stays in the log, and people are told
 * where to ask. Nothing of a stack is kept.
 */
export function failureOf(error: unknown, job: { id: string; requestId?: string }): RunFailure {
  const about = { instance: `/api/jobs/${job.id}`, requestId: job.requestId ?? job.id };
  const { code, message, errors } = (error ?? {}) as {
    code?: unknown;
    message?: string;
    errors?: ProblemDetail[];
  };
  if (isProblemCode(code)) {
    const detail = message ?? PROBLEMS[code][1];
    return {
      problem: problemBody(code, { ...about, detail, ...(errors && { errors }) }),
      final: PROBLEMS[code][0] < 500 && !PASSING.has(code),
    };
  }
  const detail = `The work could not be finished. Whoever runs Muster finds the reason in the log under ${about.requestId}.`;
  return { problem: problemBody('internal', { ...about, detail }), final: false };
}

function isProblemCode(code: unknown): code is ProblemCode {
  return typeof code === 'string' && Object.hasOwn(PROBLEMS, code);
}

/** The failure of a run that took longer than its kind allows. */
export function timedOut(timeoutMs: number): Error & { code: ProblemCode } {
  const error = new Error(`The work took longer than ${Math.round(timeoutMs / 1000)} s and was stopped.`);
  return Object.assign(error, { code: 'gateway-timeout' as const });
}

/** The failure of a job whose worker vanished in each of its runs. */
export function vanished(runs: number): Error & { code: ProblemCode } {
  const error = new Error(`The work was cut off ${runs} times, each time without a word.`);
  return Object.assign(error, { code: 'internal' as const });
}
