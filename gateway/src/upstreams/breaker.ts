import { AppError } from '@muster/service-kit';

const FAILURES = 5;
const MAX_IN_FLIGHT = 500;
/** Waits for queued work cost a service little and take no place from requests. */
const MAX_LASTING = 2_000;

/** One request's way through the breaker. The first word counts; the rest are ignored. */
export interface Passage {
  succeeded(): void;
  failed(): void;
  /** The caller went away before it was known: says nothing about the service. */
  abandoned(): void;
}

/**
 * Keeps requests from a service that does not answer: five failures in a row open it for `openMs`, then one
 * request probes. Also bounds the requests at once, so that a hanging service cannot fill the gateway.
 */
export function createBreaker(service: string, openMs: number, now: () => number = () => performance.now()) {
  let failures = 0;
  let openUntil = 0;
  let probing = false;
  const inFlight = { requests: 0, lasting: 0 };

  function leave(kind: keyof typeof inFlight, probe: boolean) {
    inFlight[kind] -= 1;
    if (probe) probing = false;
  }

  function failed() {
    failures += 1;
    if (failures >= FAILURES) openUntil = now() + openMs;
  }

  function refuse(retryAfterMs: number, why: string): AppError {
    return new AppError('unavailable', `The ${service} service ${why}: try again in a moment.`, {
      headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) },
    });
  }

  return {
    /** Lets one request pass, or one that lasts. Raises `unavailable` with Retry-After while the service rests or is full. */
    enter(kind: keyof typeof inFlight = 'requests'): Passage {
      const open = failures >= FAILURES;
      if (open && (probing || now() < openUntil))
        throw refuse(openUntil - now(), 'does not answer right now');
      const most = kind === 'requests' ? MAX_IN_FLIGHT : MAX_LASTING;
      if (inFlight[kind] >= most) throw refuse(1000, 'has too much to do right now');
      inFlight[kind] += 1;
      probing = open;
      return once({
        succeeded: () => {
          failures = 0;
          leave(kind, open);
        },
        failed: () => {
          failed();
          leave(kind, open);
        },
        abandoned: () => leave(kind, open),
      });
    },
    isOpen: () => failures >= FAILURES,
  };
}
export type Breaker = ReturnType<typeof createBreaker>;

/** A service, as the gateway reaches it. */
export interface Upstream {
  url: URL;
  breaker: Breaker;
}

function once(passage: Passage): Passage {
  let said = false;
  const first = (say: () => void) => () => {
    if (said) return;
    said = true;
    say();
  };
  return {
    succeeded: first(passage.succeeded),
    failed: first(passage.failed),
    abandoned: first(passage.abandoned),
  };
}

/** A connection could not be made: nothing was sent. */
export function unreachable(service: string, cause: unknown): AppError {
  return new AppError(
    'unavailable',
    `The ${service} service is not reachable right now: try again in a moment.`,
    {
      headers: { 'retry-after': '2' },
      cause,
    },
  );
}
