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
import { AppError } from '@muster/service-kit';
import type { Destination } from './destination.ts';
import type { Target } from './target.ts';

/** Every endpoint the gateway forwards. Of the platform's, each stands for all services. */
export const forwardedApis: readonly Api[] = [...apis.map(withoutInternal), ...platformApis('exercises')];

function withoutInternal(declared: Api): Api {
  const open = Object.entries(declared.endpoints).filter(([, endpoint]) => !endpoint.internal);
  return { ...declared, endpoints: Object.fromEntries(open) };
}

export type Located =
  | { kind: 'forward'; to: Destination }
  | { kind: 'redirect'; location: string }
  | { kind: 'options'; allow: string };

const table = routeTable(forwardedApis);
const jobs = new Set<Endpoint>(Object.values(jobsEndpoints));
const parked = new Set<Endpoint>(Object.values(parkedEndpoints));
const UNKNOWN = 'There is nothing at this address.';

/**
 * Finds what a request asks for. Raises `not-found`, `method-not-allowed`, or `malformed-url`
 * where only a broken percent sign keeps a known path from matching.
 */
export function locate(method: string, target: Target): Located {
  if (target.path.includes('//')) throw new AppError('not-found', UNKNOWN);
  const found = table.find(method, target.path);
  if (found.kind === 'match') return { kind: 'forward', to: destination(found.match) };
  if (found.kind === 'redirect') return { kind: 'redirect', location: found.path + target.query };
  if (found.kind === 'not-found') throw unknownPath(method, target.path);
  const allow = found.allow.join(', ');
  if (method === 'OPTIONS') return { kind: 'options', allow };
  throw methodNotAllowed(allow);
}

/** The answer to a known path with a method it does not take. */
export function methodNotAllowed(allow: string): AppError {
  return new AppError('method-not-allowed', `This address takes ${allow}.`, { headers: { allow } });
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
  if (!known) return new AppError('not-found', UNKNOWN);
  return new AppError('malformed-url', 'The address could not be read: check its percent signs.');
}

function decodable(segment: string): boolean {
  try {
    decodeURIComponent(segment);
    return true;
  } catch {
    return false;
  }
}
