import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const LIBRARY = fileURLToPath(new URL('../../library/', import.meta.url));

/** The files of the scenarios that come with the product, as absolute paths in order of their names. */
export function libraryFiles(): string[] {
  return readdirSync(LIBRARY)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(LIBRARY, name));
}
