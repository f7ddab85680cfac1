import { liveness } from '@muster/service-kit';
import type { RequestHandler } from 'express';

/** Answers `GET /live`, for whoever watches this process: before everything else, so that no limit or log line counts it. */
export const live: RequestHandler = (request, response, next) => {
  if (request.url !== '/live' || request.method !== 'GET') return next();
  response.json(liveness());
};
