import type { Logger } from 'pino';
import type { Metrics } from '../metrics.ts';
import type { MessagingOptions, Timings } from '../options.ts';
import type { Collections } from '../store/collections.ts';

/** What every part of messaging is made from. */
export interface Parts {
  options: MessagingOptions;
  collections: Collections;
  timings: Timings;
  metrics: Metrics;
  log: Logger;
  /** Names this process in leases. */
  owner: string;
  /** Wakes whoever carries what was just committed. */
  nudge(): void;
}

export interface Check {
  status: 'ok' | 'degraded';
  detail?: string;
}
