import type { Api, Endpoint, Method, ServiceName } from './endpoint.ts';

export interface Route {
  service: ServiceName;
  tag: string;
  name: string;
  endpoint: Endpoint;
  segments: string[];
}

export interface RouteMatch {
  route: Route;
  params: Record<string, string>;
}

export type RouteAnswer =
  | { kind: 'match'; match: RouteMatch }
  | { kind: 'redirect'; path: string }
  | { kind: 'method-not-allowed'; allow: string[] }
  | { kind: 'not-found' };

/** Path without its leading slash, in segments; a trailing slash leaves an empty last one. */
const split = (path: string) => path.slice(1).split('/');
const placeholder = (segment: string) => segment.startsWith('{');

/**
 * Finds the declared endpoint for a request: the one source of routing for the gateway and the services.
 * `path` is the raw path, still percent-encoded, without query.
 */
export function routeTable(apis: readonly Api[]) {
  const routes: Route[] = apis.flatMap((api) =>
    Object.entries(api.endpoints).map(([name, endpoint]) => ({
      service: api.service,
      tag: api.tag,
      name,
      endpoint,
      segments: split(endpoint.path),
    })),
  );
  const root = newNode();
  for (const route of routes) leafOf(root, route.segments).routes.push(route);

  function onPath(path: string): RouteMatch[] {
    const wanted = split(path);
    return reached(root, wanted).flatMap((route) => {
      const params = paramsOf(route, wanted);
      return params ? [{ route, params }] : [];
    });
  }

  function find(method: string, path: string): RouteAnswer {
    // Else the slash-less twin of `/a//` would be `/a/`, a redirect that may lead to the next one.
    if (path.includes('//')) return { kind: 'not-found' };
    const found = onPath(path);
    const match = found.find(({ route }) => serves(route.endpoint.method, method));
    if (match) return { kind: 'match', match };
    const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
    const there = onPath(other);
    const redirect =
      found.length === 0
        ? there.length > 0
        : there.some(({ route }) => serves(route.endpoint.method, method));
    if (redirect) return { kind: 'redirect', path: other };
    return found.length > 0 ? { kind: 'method-not-allowed', allow: allowed(found) } : { kind: 'not-found' };
  }

  return { routes, find };
}

/** The tree of declared paths, a level for each segment. */
interface Node {
  literals: Map<string, Node>;
  placeholder: Node | undefined;
  /** Those whose path ends here. */
  routes: Route[];
}
const newNode = (): Node => ({ literals: new Map(), placeholder: undefined, routes: [] });

function leafOf(root: Node, segments: readonly string[]): Node {
  let node = root;
  for (const segment of segments) {
    const next: Node = (placeholder(segment) ? node.placeholder : node.literals.get(segment)) ?? newNode();
    if (placeholder(segment)) node.placeholder = next;
    else node.literals.set(segment, next);
    node = next;
  }
  return node;
}

/** The routes of a path's form. Literal segments win over placeholders, whatever the order of declaration. */
function reached(node: Node, wanted: readonly string[], at = 0): Route[] {
  if (at === wanted.length) return node.routes;
  const literal = node.literals.get(wanted[at] ?? '');
  const routes = literal ? reached(literal, wanted, at + 1) : [];
  return node.placeholder ? [...routes, ...reached(node.placeholder, wanted, at + 1)] : routes;
}

const serves = (declared: Method, asked: string) => declared === (asked === 'HEAD' ? 'GET' : asked);

function allowed(found: RouteMatch[]): string[] {
  const methods = new Set<string>(found.map(({ route }) => route.endpoint.method));
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods, 'OPTIONS'];
}

function paramsOf(route: Route, wanted: string[]): Record<string, string> | null {
  const params: Record<string, string> = {};
  for (const [index, segment] of route.segments.entries()) {
    if (!placeholder(segment)) continue;
    const value = decode(wanted[index] ?? '');
    if (value === null || value === '' || !acceptsRootName(route, value)) return null;
    params[segment.slice(1, -1)] = value;
  }
  return params;
}

/** `/{filename}` sits at the root: only names its schema takes belong to it, all else is an unknown path. */
function acceptsRootName(route: Route, value: string): boolean {
  if (route.segments.length > 1) return true;
  const schema = route.endpoint.params;
  return schema === undefined || schema.safeParse({ [route.segments[0]?.slice(1, -1) ?? '']: value }).success;
}

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
