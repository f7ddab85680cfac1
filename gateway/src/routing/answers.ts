import type { Response } from 'express';

/** 308 to the canonical address, query included. */
export function redirectTo(response: Response, location: string): void {
  response.status(308).set('Location', location).end();
}

/** 204 with what the address takes. */
export function answerOptions(response: Response, allow: string): void {
  response.status(204).set('Allow', allow).end();
}
