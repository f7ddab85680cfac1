import { type Endpoint, type EndpointRequest, type ProblemDetail, pointer } from '@muster/contracts';
import type { z } from 'zod';
import { AppError, invalid } from '../errors.ts';

/** Checks a request against its endpoint's declaration. Raises a 422 that names every field, or 404 for an impossible id. */
export function validated<E extends Endpoint>(
  endpoint: E,
  given: { params: Record<string, string>; query: unknown; body: unknown },
): EndpointRequest<E> {
  const params = endpoint.params?.safeParse(given.params);
  if (params && !params.success) throw new AppError('not-found', 'There is nothing at this address.');
  const errors: ProblemDetail[] = [];
  const query = check(endpoint.query, given.query, 'query', errors);
  const body = endpoint.unparsed
    ? given.body
    : check(endpoint.body, endpoint.body ? given.body : undefined, 'body', errors);
  if (!endpoint.body) refuseBody(given.body, errors);
  if (errors.length > 0) throw invalid(errors);
  return { params: params?.data, query, body } as EndpointRequest<E>;
}

function refuseBody(body: unknown, errors: ProblemDetail[]): void {
  const empty =
    body === undefined || (typeof body === 'object' && body !== null && Object.keys(body).length === 0);
  if (!empty) errors.push({ path: '', code: 'unexpected_body', in: 'body', message: 'This takes no body.' });
}

function check(
  schema: z.ZodType | undefined,
  value: unknown,
  where: string,
  errors: ProblemDetail[],
): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const problem of fieldProblems(parsed.error)) errors.push({ ...problem, in: where });
  return undefined;
}

/** What a schema finds wrong with a value, a problem for each field. */
export function fieldProblems(error: z.ZodError): ProblemDetail[] {
  return error.issues.flatMap(details);
}

/** An issue with unknown keys names each of them; a union names the issues of its closest member. */
function details(issue: z.core.$ZodIssue): ProblemDetail[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: pointer([...issue.path, key]),
      code: issue.code,
      message: `"${key}" is not a field here`,
    }));
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const closest = issue.errors.reduce((best, other) => (other.length < best.length ? other : best));
    return closest.flatMap((inner) => details({ ...inner, path: [...issue.path, ...inner.path] }));
  }
  return [{ path: pointer(issue.path), code: issue.code ?? 'invalid', message: issue.message }];
}
