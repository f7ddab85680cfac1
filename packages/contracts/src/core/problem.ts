import { z } from 'zod';

/** RFC 9457 problem details, as every error answers. */
export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string(),
    request_id: z.string(),
    errors: z
      .array(z.object({ path: z.string(), code: z.string(), message: z.string(), in: z.string().optional() }))
      .optional(),
  })
  .meta({
    id: 'Problem',
    example: {
      type: 'urn:muster:problem:not-found',
      title: 'Not found',
      status: 404,
      detail: 'There is no session with this id.',
      instance: '/api/sessions/01923f5e-7b1a-7c3d-9e2f-5a6b7c8d9e0f/',
      request_id: 'req-7f3a',
    },
  });
export type Problem = z.output<typeof problem>;
export type ProblemDetail = NonNullable<Problem['errors']>[number];

/** Every kind of error a client can meet: its slug, its status, its title. The only place a status is chosen. */
export const PROBLEMS = {
  'malformed-json': [400, 'The body is not valid JSON'],
  'malformed-yaml': [400, 'The body is not valid YAML'],
  'malformed-multipart': [400, 'The form could not be read'],
  'malformed-url': [400, 'The address could not be read'],
  'malformed-header': [400, 'A header could not be read'],
  unauthorized: [401, 'Sign in first'],
  forbidden: [403, 'Not allowed'],
  'ip-not-allowed': [403, 'Not from this address'],
  'cross-site': [403, 'Not from another site'],
  'built-in': [403, 'Built-in scenarios stay'],
  'not-found': [404, 'Not found'],
  'method-not-allowed': [405, 'Method not allowed'],
  'not-acceptable': [406, 'Not available in this form'],
  'request-timeout': [408, 'The request took too long to arrive'],
  conflict: [409, 'Conflict'],
  'last-owner': [409, 'An organization needs an owner'],
  'in-progress': [409, 'Still in progress'],
  'precondition-failed': [412, 'Changed in the meantime'],
  'too-large': [413, 'Too large'],
  'unsupported-media-type': [415, 'Unsupported media type'],
  'validation-failed': [422, 'Some fields are not as they should be'],
  'url-not-allowed': [422, 'This address may not be called'],
  'idempotency-key-reused': [422, 'This Idempotency-Key was used for another request'],
  'rate-limited': [429, 'Too many requests'],
  'headers-too-large': [431, 'The headers are too large'],
  internal: [500, 'Something went wrong here'],
  'bad-gateway': [502, 'A service gave no usable answer'],
  unavailable: [503, 'Not available right now'],
  'gateway-timeout': [504, 'A service took too long'],
} as const satisfies Record<string, readonly [number, string]>;
export type ProblemCode = keyof typeof PROBLEMS;

/** Builds the problem body for a code. `errors` names single fields by JSON pointer. */
export function problemBody(
  code: ProblemCode,
  about: { detail: string; instance: string; requestId: string; errors?: ProblemDetail[] },
): Problem {
  const [status, title] = PROBLEMS[code];
  return {
    type: `urn:muster:problem:${code}`,
    title,
    status,
    detail: about.detail,
    instance: about.instance,
    request_id: about.requestId,
    ...(about.errors && { errors: about.errors }),
  };
}

/** A place in a document, as a JSON pointer (RFC 6901). */
export function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
