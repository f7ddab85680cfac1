import { AppError } from '@muster/service-kit';

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

/** A service broke off, or answered what it may not. */
export function badGateway(service: string, cause: unknown): AppError {
  const advice = 'whether the request took effect is not known; with an Idempotency-Key it is safe to repeat';
  return new AppError('bad-gateway', `The ${service} service gave no usable answer: ${advice}.`, { cause });
}

export function timedOut(service: string, afterMs: number): AppError {
  return new AppError(
    'gateway-timeout',
    `The ${service} service did not answer within ${Math.round(afterMs / 1000)} s: whether the request took effect is not known.`,
  );
}
