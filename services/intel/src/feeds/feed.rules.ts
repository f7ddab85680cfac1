import type { Feed } from '@muster/contracts';

const DAY_MINUTES = 24 * 60;

/** How often a feed is read after so many failures in a row: half as often with each, at least once a day. */
export function paceOf(everyMinutes: number, failures: number): number {
  return Math.max(everyMinutes, Math.min(everyMinutes * 2 ** failures, DAY_MINUTES));
}

interface Condition {
  enabled: boolean;
  every_minutes: number;
  consecutive_failures: number;
  last_fetch: { ok: boolean } | null;
}

/** How a feed does, in a word. */
export function statusOf({ enabled, last_fetch }: Condition): Feed['status'] {
  if (!enabled) return 'disabled';
  if (!last_fetch) return 'waiting';
  return last_fetch.ok ? 'ok' : 'failing';
}

/** What is the matter with a feed and what happens next; null where all is well. */
export function noticeOf(feed: Condition): string | null {
  const { every_minutes, consecutive_failures: failures } = feed;
  const status = statusOf(feed);
  if (status === 'disabled') return 'It is not read on its schedule until it is enabled again.';
  if (status !== 'failing') return null;
  const pace = paceOf(every_minutes, failures);
  const failed = failures === 1 ? 'The last reading failed' : `The last ${failures} readings failed`;
  const back = pace === every_minutes ? '' : `, and every ${spoken(every_minutes)} again once it answers`;
  return `${failed}: it is tried again every ${spoken(pace)}${back}.`;
}

const UNITS = [
  [DAY_MINUTES, 'day'],
  [60, 'hour'],
  [1, 'minute'],
] as const;

/** `90` is `90 minutes`, `120` is `2 hours`, `60` is `hour`. */
function spoken(minutes: number): string {
  const [size, unit] = UNITS.find(([whole]) => minutes % whole === 0) ?? [1, 'minute'];
  const count = minutes / size;
  return count === 1 ? unit : `${count} ${unit}s`;
}
