import { techniqueOf } from '@muster/attack';

const ID = /\bT\d{4}(?:\.\d{3})?\b/gi;
const MOST_TEXT = 20_000;

/** The ATT&CK ids that a text names, as far as there are such techniques. */
export function techniquesIn(text: string): string[] {
  const found = text.slice(0, MOST_TEXT).match(ID) ?? [];
  return found.map((id) => id.toUpperCase()).filter((id) => techniqueOf(id) !== undefined);
}
