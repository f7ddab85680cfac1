import type { AuditEntry } from '@muster/contracts';

const MOST_WORDS = 60;
const MOST_CHARACTERS = 80;

/** The words of a text, in lower case: runs of letters and digits, so that a part of an address is found too. */
export function wordsOf(text: string): string[] {
  const found = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(found.map((word) => word.slice(0, MOST_CHARACTERS)))].slice(0, MOST_WORDS);
}

type EntryFacts = Omit<AuditEntry, 'id' | 'at'>;

/** What an entry of the audit log is found by. */
export function searchWords({
  actor,
  action,
  object,
  address,
  problem,
  service,
  command,
}: EntryFacts): string[] {
  const texts = [actor.name, action, object.kind, object.id, object.name, address, problem, service, command];
  return wordsOf(texts.filter((text) => text !== null).join(' '));
}
