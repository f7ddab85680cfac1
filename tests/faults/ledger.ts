import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CallOptions,
  type ClientOptions,
  createClient,
  ProblemError,
  sessionsApi,
} from '@muster/contracts';

const ANSWER_MS = 30_000;
/** What a dead process, a busy one, or a repeat that met its first try answers: the same command is sent again. */
const AGAIN = new Set([409, 429, 502, 503, 504]);

/** What a client was told about one command: its key, and the id of what it made once that was accepted. */
export interface Entry {
  key: string;
  id: string | null;
}

/** A command as its client repeats it: under one key until it is answered. Gives the id of what it made. */
export type Command = (key: string, call: CallOptions) => Promise<string>;

export interface Load {
  entries: Entry[];
  /** Answers after which the command was sent again. */
  failures: string[];
  /** Answers that nobody may get, whatever is dead. */
  refused: string[];
  done: Promise<unknown>;
}

/**
 * Sends a command again and again until told to stop, a few at a time, each under its own key, repeating one that was
 * not answered under the same key. Everything it was told stands in a file before it goes on.
 */
export function load(send: Command, options: { clients: number; stop: AbortSignal; pauseMs?: number }): Load {
  const file = join(mkdtempSync(join(tmpdir(), 'muster-ledger-')), 'ledger.jsonl');
  const entries: Entry[] = [];
  const failures: string[] = [];
  const refused: string[] = [];

  async function one(): Promise<void> {
    const entry: Entry = { key: randomUUID(), id: null };
    entries.push(entry);
    appendFileSync(file, `${JSON.stringify({ attempt: entry.key })}\n`);
    while (entry.id === null && refused.length === 0) {
      entry.id = await send(entry.key, {
        headers: { 'idempotency-key': entry.key },
        signal: AbortSignal.timeout(ANSWER_MS),
      }).catch((error: unknown) => {
        if (error instanceof ProblemError && !AGAIN.has(error.status)) refused.push(`${entry.key}: ${error}`);
        failures.push(String(error));
        return null;
      });
      if (entry.id === null) await sleep(200);
    }
    if (entry.id === null) return;
    appendFileSync(file, `${JSON.stringify({ ok: entry.key, id: entry.id })}\n`);
  }

  const done = Promise.all(
    Array.from({ length: options.clients }, async () => {
      while (!options.stop.aborted && refused.length === 0) {
        await one();
        await sleep(options.pauseMs ?? 0);
      }
    }),
  );
  return { entries, failures, refused, done };
}

/** Saves a session whose title is its key. */
export function sessionSaving(
  url: string,
  body: (key: string) => Omit<SessionBody, 'title' | 'participants'>,
): Command {
  const sessions = createClient(sessionsApi, { baseUrl: url });
  return async (key, call) => {
    const participants = [{ name: `Person ${key}` }];
    const saved = await sessions.createSession({ body: { ...body(key), title: key, participants } }, call);
    return saved.body.id;
  };
}

type SessionBody = NonNullable<
  Parameters<ReturnType<typeof createClient<typeof sessionsApi>>['createSession']>[0]
>['body'];

/** A reader's client gives up what is not answered: there is nobody to wait for. */
export const reader = (baseUrl: string): ClientOptions => ({
  baseUrl,
  fetch: (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_MS) }),
});

/** Everything of a list, page by page. */
export async function all<Item>(
  page: (query: { limit: number; cursor?: string }) => Promise<{
    body: { items: Item[]; next_cursor: string | null };
  }>,
): Promise<Item[]> {
  const found: Item[] = [];
  for (let cursor: string | undefined; ; ) {
    const { items, next_cursor } = (await page({ limit: 200, cursor })).body;
    found.push(...items);
    if (!next_cursor) return found;
    cursor = next_cursor;
  }
}

/** Every stored session. */
export function storedSessions(url: string) {
  const client = createClient(sessionsApi, reader(url));
  return all((query) => client.listSessions({ query }));
}

/** A stored row, and the key of the command that made it. */
export interface Row {
  id: string;
  key: string;
}

/** What differs between what clients were told and what is stored: all three must be empty. */
export function account(entries: readonly Entry[], stored: readonly Row[]) {
  const ids = new Set(stored.map(({ id }) => id));
  const keys = new Set(entries.map(({ key }) => key));
  return {
    lost: entries.filter(({ id }) => id !== null && !ids.has(id)).map(({ key }) => key),
    doubled: [...Map.groupBy(stored, ({ key }) => key)].flatMap(([key, rows]) =>
      rows.length > 1 ? key : [],
    ),
    ghosts: stored.filter(({ key }) => !keys.has(key)).map(({ id }) => id),
  };
}

/** What {@link account} says when all is well. */
export const EVEN = { lost: [], doubled: [], ghosts: [] };
