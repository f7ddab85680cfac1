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
    super(detail, { cause: more.cause });
    this.code = code;
    this.errors = more.errors;
    this.headers = more.headers ?? {};
    this.extra = more.extra ?? {};
  }

  get status(): number {
    return PROBLEMS[this.code][0];
  }
}

/** A 422 that names the fields. `errors` must not be empty. */
export function invalid(errors: ProblemDetail[]): AppError {
  const detail =
    errors.length === 1 ? (errors[0]?.message ?? '') : `${errors.length} fields need another look.`;
  return new AppError('validation-failed', detail, { errors });
}
