import { type ProblemDetail, pointer, scenarioUpload } from '@muster/contracts';
import type { z } from 'zod';

export type Upload = z.output<typeof scenarioUpload>;

/**
 * Reads a scenario that did not come through an endpoint, by the contract of an upload.
 * @returns the upload, or one problem per place that breaks the contract; references are not followed
 */
export function readUpload(value: unknown): { upload: Upload } | { problems: ProblemDetail[] } {
  const parsed = scenarioUpload.safeParse(value);
  if (parsed.success) return { upload: parsed.data };
  return {
    problems: parsed.error.issues.map(({ path, code, message }) => ({ path: pointer(path), code, message })),
  };
}
