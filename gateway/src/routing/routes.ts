import {
  type Api,
  apis,
  type Endpoint,
  jobOwner,
  jobsEndpoints,
  parkedEndpoints,
  platformApis,
  type Route,
  type RouteMatch,
  routeTable,
  SERVICES,
  type ServiceName,
} from '@muster/contracts';
import { AppError, malformedUrl, methodNotAllowed, nothingHere } from '@muster/service-kit';
import type { RequestHandler, Response } from 'express';

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

/** Every endpoint the gateway forwards. Of the platform's, each stands for all services. */
export const forwardedApis: readonly Api[] = [...apis.map(withoutInternal), ...platformApis('exercises')];

function withoutInternal(declared: Api): Api {
  const open = Object.entries(declared.endpoints).filter(([, endpoint]) => !endpoint.internal);
  return { ...declared, endpoints: Object.fromEntries(open) };
}

export type Located =
  | { kind: 'forward'; to: Destination }
  | { kind: 'redirect'; location: string }
  | { kind: 'options'; allow: string[] };

const table = routeTable(forwardedApis);
const jobs = new Set<Endpoint>(Object.values(jobsEndpoints));
const parked = new Set<Endpoint>(Object.values(parkedEndpoints));

/**
 * Finds what a request asks for. Raises `not-found`, `method-not-allowed`, or `malformed-url`
 * where only a broken percent sign keeps a known path from matching.
 */
export function locate(method: string, target: Target): Located {
  if (target.path.includes('//')) throw nothingHere();
  const found = table.find(method, target.path);
  if (found.kind === 'match') return { kind: 'forward', to: destination(found.match) };
  if (found.kind === 'redirect') return { kind: 'redirect', location: found.path + target.query };
  if (found.kind === 'not-found') throw unknownPath(method, target.path);
  if (method === 'OPTIONS') return { kind: 'options', allow: found.allow };
  throw methodNotAllowed(found.allow);
}

function destination({ route, params }: RouteMatch): Destination {
  const { name, endpoint } = route;
  return { service: ownerOf(route, params), name, endpoint };
}

/** The service that answers: for a job its id says which, for parked messages the path. */
function ownerOf({ endpoint, service }: Route, params: Record<string, string>): ServiceName {
  if (jobs.has(endpoint)) {
    const owner = jobOwner(params.id ?? '');
    if (owner === null) throw new AppError('not-found', 'There is no job with this id.');
    return owner;
  }
  if (!parked.has(endpoint)) return service;
  const named = SERVICES.find((name) => name === params.service);
  if (named === undefined) throw new AppError('not-found', 'There is no service of this name.');
  return named;
}

function unknownPath(method: string, path: string): AppError {
  const repaired = path
    .split('/')
    .map((segment) => (decodable(segment) ? segment : 'x'))
    .join('/');
  const known = repaired !== path && table.find(method, repaired).kind !== 'not-found';
  if (!known) return nothingHere();
  return malformedUrl();
}

function decodable(segment: string): boolean {
  try {
    decodeURIComponent(segment);
    return true;
  } catch {
    return false;
  }
}

/** A request's target as it was sent: nothing decoded, nothing resolved. */
export interface Target {
  path: string;
  /** With its question mark, or empty. */
  query: string;
}

/**
 * Splits a raw request target into path and query.
 * Raises `malformed-url` for targets that are no path, such as `http://elsewhere/` or `*`.
 */
export function targetOf(url: string): Target {
  if (!url.startsWith('/')) {
    throw new AppError('malformed-url', 'Ask for a path that starts with a slash, such as /api/sessions/.');
  }
  const mark = url.indexOf('?');
  return mark === -1 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark) };
}

/** 308 to the canonical address, query included. */
export function redirectTo(response: Response, location: string): void {
  response.status(308).set('Location', location).end();
}

/** 204 with what the address takes. */
export function answerOptions(response: Response, allow: readonly string[]): void {
  response.status(204).set('Allow', allow.join(', ')).end();
}
