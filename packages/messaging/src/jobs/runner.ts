import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { Metrics } from '../metrics.ts';
import type { RequestContext, Timings } from '../options.ts';
import type { Emit } from '../outbox/emit.ts';
import { backoffMs } from '../process/backoff.rules.ts';
import { isEngineDown, throughOutages } from '../process/engine.ts';
import { aborted, pause } from '../process/loop.ts';
import { createRunInProgress, TakenOver } from './context.ts';
import type { Enqueue } from './enqueue.ts';
import type { JobStore, Run } from './job.store.ts';
import type { StoredJob } from './job.ts';
import type { JobKind, JobResult } from './kind.ts';
import { failureOf, timedOut } from './problem.rules.ts';

/** How long a run that was told to stop may take to do so, before it is left behind. */
const GRACE_MS = 1_000;
const AFTER_OUTAGE_MS = 1_000;

class Stopping extends Error {}

/** Runs jobs that Redis says are due. */
export interface Runner {
  /** Runs one generation of a job, if it is still to be run. Never rejects but for a stop during an outage. */
  run(kind: JobKind, job: { id: string; generation: number }): Promise<void>;
  /** Tells a job's run that it was cancelled, without waiting for its next beat. */
  cancelled(id: string): void;
  /** Resolves when no job runs here. */
  idle(): Promise<void>;
  /** Tells all runs to stop; they go back to the queue without having used up an attempt. */
  interrupt(): void;
}

export function createRunner(parts: {
  owner: string;
  store: JobStore;
  connection: Connection;
  emit: Emit;
  enqueue: Enqueue;
  requestContext?: RequestContext;
  timings: Timings;
  metrics: Metrics;
  log: Logger;
  changed(id: string): void;
  nudge(): void;
}): Runner {
  const { store, connection, metrics, timings } = parts;
  const stopping = new AbortController();
  const running = new Map<string, AbortController>();
  let idle = () => {};
  const surely = <T>(work: () => Promise<T>) => throughOutages(connection, stopping.signal, work);

  async function attempt(kind: JobKind, run: Run, row: StoredJob): Promise<void> {
    const log = parts.log.child({ job: run.id, kind: kind.kind, attempt: row.attempts });
    const stop = new AbortController();
    running.set(run.id, stop);
    const progress = createRunInProgress({
      ...parts,
      run,
      row,
      stop,
      log,
      changed: () => parts.changed(run.id),
      committed: parts.nudge,
    });
    const beats = setInterval(() => void progress.beat().catch(() => undefined), timings.jobBeatMs);
    const deadline = setTimeout(() => stop.abort(timedOut(kind.timeoutMs)), kind.timeoutMs);
    const observe = metrics.jobDuration.startTimer({ kind: kind.kind });
    try {
      const result = await untilStopped(stop.signal, () => kind.run(progress.context, payloadOf(kind, row)));
      await surely(() => succeeded(kind, run, result));
    } catch (error) {
      const cause: unknown = stop.signal.aborted ? stop.signal.reason : error;
      if (!(cause instanceof TakenOver)) await failed(kind, run, row, cause, log);
      else log.info('a run ended without effect: its job was cancelled or taken over');
    } finally {
      clearInterval(beats);
      clearTimeout(deadline);
      running.delete(run.id);
      if (running.size === 0) idle();
      observe();
      parts.changed(run.id);
    }
  }

  async function succeeded(kind: JobKind, run: Run, result: JobResult): Promise<void> {
    if (await store.succeed(run, result)) metrics.jobs.inc({ kind: kind.kind, state: 'succeeded' });
  }

  async function failed(kind: JobKind, run: Run, row: StoredJob, error: unknown, log: Logger): Promise<void> {
    if (error instanceof Stopping || isEngineDown(error)) {
      const delayMs = error instanceof Stopping ? 0 : AFTER_OUTAGE_MS;
      await throughOutages(connection, AbortSignal.timeout(timings.stopMs), () =>
        store.requeue(run, { delayMs, burned: false }),
      );
      return parts.nudge();
    }
    const { problem, final } = failureOf(error, { id: run.id, requestId: row.request_id });
    const over = final || row.attempts >= kind.attempts;
    // As of requests, only what nobody expected is an error of ours.
    const level = over && problem.status === 500 ? 'error' : 'warn';
    log[level]({ err: error }, over ? 'a job failed' : 'a job failed; it is tried again');
    const delayMs = backoffMs(kind.backoff, row.attempts);
    const ended = await surely(() =>
      over ? store.fail(run, problem) : store.requeue(run, { delayMs, problem, burned: true }),
    );
    if (ended) metrics.jobs.inc({ kind: kind.kind, state: over ? 'failed' : 'retried' });
    parts.nudge();
  }

  return {
    async run(kind, { id, generation }) {
      const run = { id, generation, owner: parts.owner };
      const row = await surely(() => store.claim(run));
      if (!row) return;
      metrics.jobs.inc({ kind: kind.kind, state: 'running' });
      parts.changed(id);
      const trace = {
        name: `job ${kind.kind}`,
        traceparent: row.traceparent,
        requestId: row.request_id,
        orgId: row.org_id,
      };
      const work = () => attempt(kind, run, row);
      await (parts.requestContext ? parts.requestContext.run(trace, work) : work());
    },
    cancelled(id) {
      running.get(id)?.abort(new TakenOver('the job was cancelled'));
    },
    async idle() {
      if (running.size === 0) return;
      await new Promise<void>((resolve) => {
        idle = resolve;
      });
    },
    interrupt() {
      stopping.abort();
      for (const stop of running.values()) stop.abort(new Stopping('the process stops'));
    },
  };
}

function payloadOf(kind: JobKind, row: StoredJob): unknown {
  return kind.payload.parse(JSON.parse(row.payload));
}

/** What the work gives, or, when it was told to stop and does not, the reason after a moment's grace. */
async function untilStopped<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const running = (async () => await work())();
  running.catch(() => undefined);
  const left = aborted(signal)
    .then(() => pause(GRACE_MS))
    .then(() => Promise.reject(signal.reason));
  left.catch(() => undefined);
  return await Promise.race([running, left]);
}
