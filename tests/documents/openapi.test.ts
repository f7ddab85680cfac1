import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { apis } from '@muster/contracts';

const LINT = fileURLToPath(new URL('lint.process.ts', import.meta.url));
/** The customer specified paths that end with a slash: what the linters say of that, and of nothing else, is left out. */
const SLASHES = ['no-path-trailing-slash', 'path-keys-no-trailing-slash'];

test('redocly and spectral find nothing in the OpenAPI document but its trailing slashes', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [LINT], { maxBuffer: 64 * 1024 * 1024 });
  const said = JSON.parse(stdout) as Record<string, { rule: string; text: string }[]>;
  for (const problems of Object.values(said)) {
    // Where not even the slashes are found the document was not read.
    expect(problems.some(({ rule }) => SLASHES.includes(rule))).toBe(true);
    expect(problems.filter(({ rule }) => !SLASHES.includes(rule))).toEqual([]);
  }
}, 180_000);

describe('every operation', () => {
  const endpoints = apis.flatMap((api) => Object.entries(api.endpoints));

  test.each(endpoints)('%s says in its own words what it does', (_, { summary, description }) => {
    expect(description.trim()).not.toBe(summary.trim());
    expect(description.split(/\s+/).length).toBeGreaterThan(5);
    expect(description).toMatch(/[.)]$/);
  });
});
