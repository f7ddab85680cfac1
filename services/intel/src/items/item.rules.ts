import { createHash } from 'node:crypto';
import { withParents } from '@muster/attack';
import type { Extraction } from '../extraction/extraction.rules.ts';
import { actorNamed } from '../extraction/names.rules.ts';
import type { Reading } from '../formats/reading.rules.ts';
import { addressKey } from './address.rules.ts';
import type { ItemDoc } from './item.model.ts';
import { searchWords } from './search.rules.ts';

/** What a reading says, whatever its layout: two readings with one hash say the same. */
export function contentHash({ title, text }: Reading): string {
  const words = `${title}\n${text}`.normalize('NFC').replace(/\s+/g, ' ').trim();
  return `sha256:${createHash('sha256').update(words).digest('hex')}`;
}

/** The ways in which a reading is known again: by its source's id, or else its addresses. */
export function identityKeys(reading: Reading, asked: readonly string[]): string[] {
  if (reading.key !== null) return [reading.key];
  // The address of a feed is none of its entries'.
  const isEntry = reading.format === 'rss' || reading.format === 'atom';
  const addresses = [...(reading.url === null ? [] : [reading.url]), ...(isEntry ? [] : asked)];
  return [...new Set(addresses.map(addressKey))];
}

/** Two actors with one key are the same, whatever they are called. */
export const actorKey = (name: string) => actorNamed(name).toLowerCase();

type FilterFields = Pick<ItemDoc, 'technique_ids' | 'actor_keys' | 'words'>;

/** What lists filter by. A sub-technique is also found by its technique. */
export function filterFields(said: Extraction): FilterFields {
  return {
    technique_ids: withParents(said.techniques.map(({ id }) => id)),
    actor_keys: [...new Set(said.actors.map(actorKey))],
    words: searchWords(said),
  };
}

/**
 * Whether a reading may take the place of what is known: the few lines of a feed's entry do not replace the article
 * that was read in full.
 */
export function replaces(reading: Reading, known: Pick<ItemDoc, 'format'>): boolean {
  const isEntry = reading.format === 'rss' || reading.format === 'atom';
  return !isEntry || known.format === reading.format;
}
