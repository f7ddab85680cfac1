import { AppError } from '../errors.ts';

/** The answer to an unknown path. */
export const nothingHere = () => new AppError('not-found', 'There is nothing at this address.');

/** The answer to a known path with a method it does not take. */
export function methodNotAllowed(allow: readonly string[]): AppError {
  const methods = allow.join(', ');
  return new AppError('method-not-allowed', `This address takes ${methods}.`, {
    headers: { allow: methods },
  });
}

/** The answer to a path with a broken percent sign. */
export function malformedUrl(cause?: unknown): AppError {
  return new AppError('malformed-url', 'The address could not be read: check its percent signs.', { cause });
}
