import { readFileSync } from 'node:fs';

/** The version of ATT&CK that the data is of. */
export const ATTACK_VERSION = '18.1';

export interface Technique {
  /** Such as `T1566` or `T1566.001`. */
  id: string;
  name: string;
  /** Phase names of its tactics, such as `initial-access`. */
  tactics: string[];
  /** There for techniques against industrial control systems; the others are of the enterprise. */
  domain?: 'ics';
  /** There for what is no longer used: the technique that took its place, or null. */
  replaced_by?: string | null;
}

/** A group of actors, or a piece of software, with every name it goes by. */
export interface Named {
  id: string;
  name: string;
  aliases: string[];
}

export interface Software extends Named {
  kind: 'malware' | 'tool';
}

export interface Tactic {
  id: string;
  name: string;
  phase: string;
}

export const TECHNIQUES = read<Technique>('techniques');
export const ACTORS = read<Named>('actors');
export const SOFTWARE = read<Software>('software');
export const TACTICS = read<Tactic>('tactics');

const byId = new Map(TECHNIQUES.map((technique) => [technique.id, technique]));
const LONGEST_CHAIN = 5;

/** The technique that an id means today: what replaced a revoked one. Undefined for an id that never was or has ended. */
export function techniqueOf(id: string): Technique | undefined {
  let found = byId.get(id);
  for (let step = 0; found?.replaced_by !== undefined && step < LONGEST_CHAIN; step += 1) {
    found = found.replaced_by === null ? undefined : byId.get(found.replaced_by);
  }
  return found;
}

/** Techniques and, of each sub-technique, the one above it: what somebody who asks for `T1003` wants to find. */
export const withParents = (ids: readonly string[]): string[] => [
  ...new Set(ids.flatMap((id) => [id, id.slice(0, 5)])),
];

function read<Row>(name: string): readonly Row[] {
  return JSON.parse(readFileSync(new URL(`../data/${name}.json`, import.meta.url), 'utf8'));
}
