import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineName } from './engine.ts';
import type { Keeping } from './ways.rules.ts';

type Kept = Partial<Record<EngineName, Keeping>>;

/** What keeps each engine's data of earlier starts, as remembered in a directory. */
export function readKept(directory: string): Kept {
  try {
    return JSON.parse(readFileSync(join(directory, 'kept.json'), 'utf8'));
  } catch {
    return {};
  }
}

/** Remembers what keeps an engine's data. */
export function rememberKept(directory: string, engine: EngineName, keeping: Keeping): void {
  mkdirSync(directory, { recursive: true });
  const kept = { ...readKept(directory), [engine]: keeping };
  writeFileSync(join(directory, 'kept.json'), `${JSON.stringify(kept)}\n`);
}
