import type { Endpoint, ServiceName } from '@muster/contracts';
import type { RequestHandler, Response } from 'express';
import { answerOptions, redirectTo } from './answers.ts';
import { locate } from './routes.ts';
import { targetOf } from './target.ts';

/** Where a request goes. */
export interface Destination {
  service: ServiceName;
  name: string;
  endpoint: Endpoint;
}

/** Finds the endpoint a request is for, or answers what needs none: the slash, OPTIONS. Raises as `locate` does. */
export const located: RequestHandler = (request, response, next) => {
  const found = locate(request.method, targetOf(request.url));
  if (found.kind === 'redirect') return redirectTo(response, found.location);
  if (found.kind === 'options') return answerOptions(response, found.allow);
  response.locals.endpoint = found.to.name;
  response.locals.destination = found.to;
  next();
};

/** What {@link located} found for the request that this answers. */
export function destinationOf(response: Response): Destination {
  return response.locals.destination;
}

/** The pages where people without a session get one. They alone see cookies. */
export function isLogin({ service, endpoint }: Pick<Destination, 'service' | 'endpoint'>): boolean {
  return service === 'identity' && endpoint.role === 'public' && endpoint.path.startsWith('/auth/');
}
