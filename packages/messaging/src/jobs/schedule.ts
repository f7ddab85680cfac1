/** Work that comes again and again. */
export interface NewSchedule {
  /** Names it within its organization; a second one with the same name replaces the first. */
  id: string;
  org: string;
  kind: string;
  payload: unknown;
  everyMinutes: number;
  /** When it runs first, or next; default as before where the pace stays, else after about one interval. */
  next?: Date;
  /** Keeps it without running it. */
  paused?: boolean;
}

/** A schedule in the database, which is the truth: Redis knows nothing of it. */
export interface StoredSchedule {
  /** `<organization>/<id>` */
  _id: string;
  org_id: string;
  kind: string;
  /** JSON. */
  payload: string;
  every_minutes: number;
  next_run_at: Date;
  paused: boolean;
  /** The job of its last run. */
  job_id: string | null;
}

const MINUTE_MS = 60_000;
/** Spreads what was set in the same moment, so that it does not come in the same moment for ever. */
const JITTER = 0.1;

/** A time one interval after another, give or take a twentieth. @param random 0..1 */
export function intervalAfter(from: Date, everyMinutes: number, random = Math.random()): Date {
  const intervals = 1 + JITTER * (random - 0.5);
  return new Date(from.getTime() + everyMinutes * MINUTE_MS * intervals);
}

/**
 * When a run that was due comes next. On time, it keeps its pace; one that is late, since nobody was there, counts from
 * now: what was missed meanwhile is made up by this one run.
 */
export function runAfter(due: Date, now: Date, everyMinutes: number, random = Math.random()): Date {
  const late = now.getTime() - due.getTime();
  return intervalAfter(late < (everyMinutes * MINUTE_MS) / 2 ? due : now, everyMinutes, random);
}
