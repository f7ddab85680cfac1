/** Every waiting time of messaging, in milliseconds. Tests shorten them; services use the defaults. */
export interface Timings {
  /** Waits of the retry queues; part of their names, since a queue's arguments cannot change. */
  retryDelaysMs: readonly number[];
  /** How often the relay looks for pending rows when nothing nudged it. */
  relayPollMs: number;
  /** How long a publish may stay unconfirmed. */
  confirmMs: number;
  /** How often the holder of a lease says it is alive. */
  leaseBeatMs: number;
  /** How long a beat must stand still before another process takes the lease. */
  leaseStaleMs: number;
  /** How long nothing may move, with work waiting, before a connection is built anew. */
  watchdogMs: number;
  /** Longest wait between two attempts to connect. */
  reconnectMs: number;
  /** How often new jobs are looked for when nothing nudged the dispatcher. */
  dispatchPollMs: number;
  /** How often a running job says it is alive, and learns that it was cancelled. */
  jobBeatMs: number;
  /** How often the reconciler compares MongoDB with Redis. */
  reconcileMs: number;
  /** How long a scheduled job may wait before the reconciler asks whether Redis still has it. */
  overdueMs: number;
  /** How often a followed job is read. */
  watchMs: number;
  /** Bound of a graceful stop. */
  stopMs: number;
}

export const DEFAULT_TIMINGS: Timings = {
  retryDelaysMs: [5_000, 30_000, 120_000, 600_000],
  relayPollMs: 200,
  confirmMs: 10_000,
  leaseBeatMs: 3_000,
  leaseStaleMs: 15_000,
  watchdogMs: 60_000,
  reconnectMs: 5_000,
  dispatchPollMs: 1_000,
  jobBeatMs: 3_000,
  reconcileMs: 30_000,
  overdueMs: 60_000,
  watchMs: 250,
  stopMs: 25_000,
};
