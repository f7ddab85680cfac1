import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type Session, type SessionSummary, sessionsApi } from '@muster/contracts';

const SCENARIO = 'business-email-compromise.json';

/** What a client was told about one save: its key, and the id once the save was accepted. */
export interface Entry {
  key: string;
  id: string | null;
}

/**
 * Saves sessions through the gateway until told to stop, a few at a time, each under its own key, repeating one that
 * was not answered under the same key. Everything it was told stands in a file before it goes on.
 */
export function saveUntil(url: string, options: { clients: number; stop: AbortSignal; pauseMs?: number }) {
  const file = join(mkdtempSync(join(tmpdir(), 'muster-ledger-')), 'ledger.jsonl');
  const entries: Entry[] = [];
  const failures: string[] = [];
  const sessions = createClient(sessionsApi, { baseUrl: url });

  async function saveOne(): Promise<void> {
    const entry: Entry = { key: randomUUID(), id: null };
    entries.push(entry);
    appendFileSync(file, `${JSON.stringify({ attempt: entry.key })}\n`);
    const body = { scenario: SCENARIO, title: entry.key, participants: [{ name: `Person ${entry.key}` }] };
    while (entry.id === null) {
      const headers = { 'idempotency-key': entry.key };
      const answer = await sessions
        .createSession({ body }, { headers, signal: AbortSignal.timeout(30_000) })
        .catch((error: unknown) => {
          failures.push(String(error));
          return null;
        });
      entry.id = answer?.body.id ?? null;
      if (entry.id === null) await sleep(200);
    }
    appendFileSync(file, `${JSON.stringify({ ok: entry.key, id: entry.id })}\n`);
  }

  const done = Promise.all(
    Array.from({ length: options.clients }, async () => {
      while (!options.stop.aborted) {
        await saveOne();
        await sleep(options.pauseMs ?? 0);
      }
    }),
  );
  return { entries, failures, done };
}

/** Every stored session, page by page. */
export async function storedSessions(url: string): Promise<SessionSummary[]> {
  const client = createClient(sessionsApi, { baseUrl: url });
  const all: SessionSummary[] = [];
  for (let cursor: string | undefined; ; ) {
    const { body } = await client.listSessions({ query: { limit: 200, cursor } });
    all.push(...body.items);
    if (!body.next_cursor) return all;
    cursor = body.next_cursor;
  }
}

/** What differs between what clients were told and what is stored: all three must be empty. */
export function account(entries: readonly Entry[], stored: readonly Pick<Session, 'id' | 'title'>[]) {
  const ids = new Set(stored.map(({ id }) => id));
  const keys = new Set(entries.map(({ key }) => key));
  const perKey = Map.groupBy(stored, ({ title }) => title);
  return {
    lost: entries.filter(({ id }) => id !== null && !ids.has(id)).map(({ key }) => key),
    doubled: [...perKey].filter(([, sessions]) => sessions.length > 1).map(([key]) => key),
    ghosts: stored.filter(({ title }) => !keys.has(title)).map(({ id }) => id),
  };
}
