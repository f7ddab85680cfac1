import { ProblemError } from '@muster/contracts';

/** The problem that a call through the typed client must end in. Raises when it succeeds, or fails another way. */
export async function problemOf(call: Promise<{ status: number }>): Promise<ProblemError> {
  const outcome = await call.catch((error: unknown) => error);
  if (outcome instanceof ProblemError) return outcome;
  throw outcome instanceof Error
    ? outcome
    : new Error(`Expected a problem, got ${JSON.stringify(outcome).slice(0, 300)}`);
}
