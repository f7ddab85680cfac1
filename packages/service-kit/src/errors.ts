import { PROBLEMS, type ProblemCode, type ProblemDetail } from '@muster/contracts';

/** The one error a use case raises. The status it becomes stands beside its code in the contracts. */
export class AppError extends Error {
  readonly code: ProblemCode;
  readonly errors: ProblemDetail[] | undefined;
  readonly headers: Record<string, string>;
  /** Fields added to the problem body, such as the job that is already running. */
  readonly extra: Record<string, unknown>;

  constructor(
    code: ProblemCode,
    detail: string,
    more: {
      errors?: ProblemDetail[];
      headers?: Record<string, string>;
      extra?: Record<string, unknown>;
      cause?: unknown;
    } = {},
  ) {
    super(shortened(detail), { cause: more.cause });
    this.code = code;
    this.errors = more.errors?.slice(0, MAX_NAMED).map(bounded);
    this.headers = more.headers ?? {};
    this.extra = more.extra ?? {};
  }

  get status(): number {
    return PROBLEMS[this.code][0];
  }
}

/** An answer to bad input is not much longer than it needs to be, however bad the input. */
const MAX_NAMED = 100;
const MAX_TEXT = 500;

const shortened = (text: string) => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);

function bounded(problem: ProblemDetail): ProblemDetail {
  return { ...problem, path: shortened(problem.path), message: shortened(problem.message) };
}

/** A 422 that names the fields, the first hundred of them. `errors` must not be empty. */
export function invalid(errors: ProblemDetail[]): AppError {
  const named = errors.length > MAX_NAMED ? ` The first ${MAX_NAMED} are named.` : '';
  const detail =
    errors.length === 1 ? (errors[0]?.message ?? '') : `${errors.length} fields need another look.${named}`;
  return new AppError('validation-failed', detail, { errors });
}
