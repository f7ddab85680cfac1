import type { mongo } from 'mongoose';
import type { Logger } from 'pino';
import type { Timings } from '../options.ts';
import { isDuplicateKey } from '../store/duplicate.ts';
import { createLoop } from './loop.ts';

/** Who acts: `owner` is null when it was given back; `beat` grows while the owner lives. */
export interface LeaseRow {
  _id: string;
  owner: string | null;
  beat: number;
}

/** A lease that one process holds at a time, without comparing clocks between machines. */
export interface Lease {
  held(): boolean;
  start(): void;
  /** Gives the lease back, so that another process takes it at once. */
  stop(): Promise<void>;
}

/**
 * The owner raises `beat`; a challenger takes the lease by compare-and-set on (owner, beat) after it has seen the same
 * beat for `leaseStaleMs` of its own monotonic clock. A frozen owner that wakes up can act once more: what is done
 * under a lease must bear being done twice.
 * @param owner names this process, unique
 * @param onAcquired called each time the lease becomes this process's own
 */
export function createLease(parts: {
  leases: mongo.Collection<LeaseRow>;
  name: string;
  owner: string;
  timings: Timings;
  log: Logger;
  onAcquired?: () => void;
}): Lease {
  const { leases, name, owner, timings } = parts;
  let beat: number | undefined;
  let confirmedAt = 0;
  let seen: { owner: string; beat: number; at: number } | undefined;

  const fresh = () => beat !== undefined && performance.now() - confirmedAt < timings.leaseStaleMs;

  async function round(): Promise<void> {
    if (beat === undefined) await challenge();
    else if (!(await swap({ owner, beat }, beat + 1))) {
      beat = undefined;
      parts.log.warn({ lease: name }, 'another process took the lease over');
    }
  }

  async function challenge(): Promise<void> {
    const row = await leases.findOne({ _id: name });
    if (!row) return await claimNew();
    // Its own: the reply to an earlier beat was lost.
    if (row.owner === null || row.owner === owner) return void (await swap(row, row.beat + 1));
    const same = seen?.owner === row.owner && seen.beat === row.beat;
    if (!same) seen = { owner: row.owner, beat: row.beat, at: performance.now() };
    else if (performance.now() - (seen?.at ?? 0) >= timings.leaseStaleMs) await swap(row, row.beat + 1);
  }

  async function claimNew(): Promise<void> {
    try {
      await leases.insertOne({ _id: name, owner, beat: 1 });
      acquired(1);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }

  async function swap(from: { owner: string | null; beat: number }, to: number): Promise<boolean> {
    const sent = performance.now();
    const swapped = await leases.updateOne(
      { _id: name, owner: from.owner, beat: from.beat },
      { $set: { owner, beat: to } },
    );
    if (swapped.matchedCount === 1) acquired(to, sent);
    return swapped.matchedCount === 1;
  }

  function acquired(at: number, since = performance.now()): void {
    const isNew = beat === undefined;
    beat = at;
    confirmedAt = since;
    seen = undefined;
    if (isNew) parts.onAcquired?.();
  }

  const loop = createLoop({
    name: `lease ${name}`,
    everyMs: timings.leaseBeatMs,
    log: parts.log,
    pass: round,
  });
  return {
    held: fresh,
    start: loop.start,
    async stop() {
      await loop.stop();
      if (beat === undefined) return;
      await leases.updateOne({ _id: name, owner, beat }, { $set: { owner: null } });
      beat = undefined;
    },
  };
}
