import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Endpoint, pointer } from '@muster/contracts';
import { AppError } from '../errors.ts';
import type { StoredReply } from './idempotency.ts';
import { isRendition } from './send.ts';
import { fieldProblems } from './validation.ts';

/**
 * Checks that an answer is what its endpoint declares, no field more or less; renditions and streams are let through.
 * Raises `internal` with what differs: for development and tests, where a contract that lies must not pass unseen.
 */
export async function requireDeclared(endpoint: Endpoint, { status, body }: StoredReply): Promise<void> {
  if (isRendition(body)) return;
  const problems = await problemsOf(endpoint.responses[status as keyof Endpoint['responses']], body);
  if (problems.length === 0) return;
  const { method, path } = endpoint;
  throw new AppError(
    'internal',
    `${method} ${path} answers ${status} against its contract: ${problems.join('; ')}`,
  );
}

/** Large answers are checked in several turns of the event loop. */
async function problemsOf(declared: Endpoint['responses'][200], body: unknown): Promise<string[]> {
  if (declared === undefined) return ['this status is not declared'];
  if (declared === null) return body === null ? [] : ['a body is not declared'];
  await nextTurn();
  const sent = asJson(body);
  await nextTurn();
  const parsed = declared.safeParse(sent);
  if (!parsed.success) return fieldProblems(parsed.error).map(({ path, message }) => `${path} ${message}`);
  await nextTurn();
  return isDeepStrictEqual(sent, parsed.data) ? [] : differences(sent, asJson(parsed.data), []);
}

/** As a caller reads it. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** What a schema left out, added or wrote otherwise. */
function differences(sent: unknown, declared: unknown, path: readonly PropertyKey[]): string[] {
  if (isDeepStrictEqual(sent, declared)) return [];
  if (!isContainer(sent) || !isContainer(declared)) return [`${pointer(path)} is written otherwise`];
  const names = [...new Set([...Object.keys(sent), ...Object.keys(declared)])];
  return names.flatMap((name) => {
    const inner = [...path, name];
    if (!(name in declared)) return [`${pointer(inner)} is not declared`];
    if (!(name in sent)) return [`${pointer(inner)} is missing`];
    return differences(sent[name], declared[name], inner);
  });
}

const isContainer = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
