import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineName } from './engine.ts';
import type { Keeper } from './ways.rules.ts';

type Keepers = Partial<Record<EngineName, Keeper>>;

/** What keeps each engine's data of earlier starts, as remembered in a directory. */
export function readKeepers(directory: string): Keepers {
  try {
    return JSON.parse(readFileSync(join(directory, 'kept.json'), 'utf8'));
  } catch {
    return {};
  }
}

/** Remembers what keeps an engine's data. */
export function rememberKeeper(directory: string, engine: EngineName, keeper: Keeper): void {
  mkdirSync(directory, { recursive: true });
  const keepers = { ...readKeepers(directory), [engine]: keeper };
  writeFileSync(join(directory, 'kept.json'), `${JSON.stringify(keepers)}\n`);
}
