import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from './codes.ts';
import { connectSql, type Sql } from './sql.ts';

const IDLE_MS = 60_000;
const PATIENCE_MS = 20_000;
const MAX_WAITING = 2_000;

interface Waiter {
  take: (sql: Sql) => void;
  fail: (error: Error) => void;
  timer: NodeJS.Timeout;
}

/** A bounded set of database connections, made when needed and closed after a minute of idleness. */
export interface Pool {
  /**
   * A connection for the caller alone; waits while all are taken, or while the database is not there.
   * Raises CommandError 91 after 20 s, or at once when 2000 others wait.
   */
  acquire(): Promise<Sql>;
  /** Gives it back; a closed one is forgotten. */
  release(sql: Sql): void;
  close(): void;
}

/** Makes a pool of at most `size` connections to the unix socket at `path`. */
export function createPool(path: string, size: number): Pool {
  const idle: { sql: Sql; since: number }[] = [];
  const waiting: Waiter[] = [];
  let count = 0;
  let closed = false;

  const left = (): void => {
    count--;
    const next = waiting.shift();
    if (!next) return;
    clearTimeout(next.timer);
    connect().then(next.take, next.fail);
  };
  const connect = async (): Promise<Sql> => {
    count++;
    const until = Date.now() + PATIENCE_MS;
    for (let pause = 20; ; pause = Math.min(pause * 2, 200)) {
      try {
        return await connectSql(path, left);
      } catch (error) {
        if (closed || Date.now() > until) return giveUp(error as Error);
        await sleep(pause);
      }
    }
  };
  const giveUp = (error: Error): never => {
    left();
    throw new CommandError(91, `the database does not answer: ${error.message}`);
  };
  const sweep = setInterval(() => {
    while (idle[0] && Date.now() - idle[0].since > IDLE_MS) idle.shift()?.sql.close();
  }, 10_000).unref();

  return {
    async acquire() {
      for (let entry = idle.pop(); entry; entry = idle.pop()) if (entry.sql.open) return entry.sql;
      if (count < size) return connect();
      if (waiting.length >= MAX_WAITING)
        throw new CommandError(91, 'too many commands wait for the database');
      return new Promise((take, fail) => {
        const waiter: Waiter = { take, fail, timer: setTimeout(() => expire(waiter), PATIENCE_MS) };
        waiting.push(waiter);
      });
    },
    release(sql) {
      if (!sql.open) return;
      const next = waiting.shift();
      if (!next) return void idle.push({ sql, since: Date.now() });
      clearTimeout(next.timer);
      next.take(sql);
    },
    close() {
      closed = true;
      clearInterval(sweep);
      for (const { sql } of idle.splice(0)) sql.close();
    },
  };

  function expire(waiter: Waiter): void {
    waiting.splice(waiting.indexOf(waiter), 1);
    waiter.fail(new CommandError(91, `no database connection became free within ${PATIENCE_MS / 1000} s`));
  }
}
