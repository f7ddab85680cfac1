import type { Response } from 'express';
import type { Actor } from '../auth/actor.ts';
import { AppError } from '../errors.ts';

const MAX_REQUESTS = 500;
/** Event streams and waits for queued work: they cost memory, not work. */
const MAX_LASTING = 5_000;
const LASTING_OF_ORGANIZATION = 1_000;
const LASTING_OF_PERSON = 100;

/**
 * The places of requests under way, and apart from them those of what lasts: event streams and waits. Whoever opens many
 * of these meets a limit of their own and takes nothing from anybody else.
 */
export function createPlaces() {
  let requests = 0;
  const lasting = new Map<string, number>();
  const requesting = new WeakSet<Response>();

  /** Past a number of requests at once it is kinder to say so than to let all of them wait. Raises `unavailable`. */
  function enter(response: Response): void {
    if (requests >= MAX_REQUESTS) throw tooMuch();
    requests += 1;
    requesting.add(response);
    response.once('close', () => leave(response));
  }

  function leave(response: Response): void {
    if (requesting.delete(response)) requests -= 1;
  }

  /** Moves a request to those that last, until its answer ends. False where there is no place for it. */
  function last(response: Response, actor: Pick<Actor, 'id' | 'org'>): boolean {
    const limits: [string, number][] = [
      ['all', MAX_LASTING],
      [actor.org, LASTING_OF_ORGANIZATION],
      [`${actor.org} ${actor.id}`, LASTING_OF_PERSON],
    ];
    if (limits.some(([key, most]) => (lasting.get(key) ?? 0) >= most)) return false;
    for (const [key] of limits) count(key, 1);
    response.once('close', () => {
      for (const [key] of limits) count(key, -1);
    });
    leave(response);
    return true;
  }

  function count(key: string, by: 1 | -1): void {
    const open = (lasting.get(key) ?? 0) + by;
    if (open > 0) lasting.set(key, open);
    else lasting.delete(key);
  }

  return { enter, last };
}
export type Places = ReturnType<typeof createPlaces>;

/** The answer to one event stream too many. */
export function tooManyStreams(): AppError {
  return new AppError(
    'rate-limited',
    `${LASTING_OF_PERSON} event streams may be open for a person and ${LASTING_OF_ORGANIZATION} for an organization: close some, then try again.`,
    { headers: { 'retry-after': '5' } },
  );
}

function tooMuch(): AppError {
  return new AppError('unavailable', 'There is too much to do right now: try again in a moment.', {
    headers: { 'retry-after': '1' },
  });
}
