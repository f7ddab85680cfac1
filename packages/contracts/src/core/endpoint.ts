import type { z } from 'zod';
import type { Role, Scope } from './roles.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type MediaType =
  | 'application/json'
  | 'application/yaml'
  | 'multipart/form-data'
  | 'application/cacao+json'
  | 'application/pdf'
  | 'application/stix+json'
  | 'application/x-ndjson'
  | 'text/csv'
  | 'text/event-stream'
  | 'text/html'
  | 'text/markdown'
  | 'text/plain';

/**
 * One declared endpoint. Validation, handlers' types, documents, the client and the gateway's routes follow from it.
 * The schemas of its bodies carry an example each: `.meta({ example })`.
 */
export interface Endpoint {
  method: Method;
  /** As routed, trailing slash included; placeholders in braces: `/api/sessions/{id}/`. */
  path: `/${string}`;
  summary: string;
  /** What it does and what the caller may rely on, in a sentence or a few. */
  description: string;
  /** The weakest role that may call it; `public` needs no token. */
  role: Role | 'public';
  /** What an API token must carry; absent where a session or any token will do. */
  scope?: Scope;
  /** May be called from any address where the organization asks for the registered one. */
  anyAddress?: boolean;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Accepted request types, default JSON only. */
  accepts?: readonly MediaType[];
  /** The handler reads the body itself, piece by piece: it is given its bytes, and `body` only documents it. */
  unparsed?: true;
  /** Largest body in bytes, default 1 MiB. */
  maxBytes?: number;
  /** A status each, with its body; `null` where there is none. Refusals stand here only where they are pages. */
  responses: Partial<Record<200 | 201 | 202 | 204 | 302 | 400 | 401 | 403, z.ZodType | null>>;
  /** The answer's type where it is not JSON. */
  produces?: MediaType;
  /** Further forms of the same resource, by `Accept` or `?format=`. */
  renditions?: readonly MediaType[];
  /** For the product's own parts: the gateway does not lead to it. */
  internal?: boolean;
  /** `queue` when the work may be answered as a job (202). */
  delivery?: 'direct' | 'queue';
}

/** Declares one endpoint; keeps its literal types. */
export function endpoint<const E extends Endpoint>(declaration: E): E {
  return declaration;
}

/** The endpoints one service answers. */
export interface Api {
  service: ServiceName;
  tag: string;
  /** What the documents say of the noun. */
  about: string;
  endpoints: Record<string, Endpoint>;
}

export const SERVICES = [
  'exercises',
  'twin',
  'connectors',
  'compliance',
  'intel',
  'security-ops',
  'identity',
] as const;
export type ServiceName = (typeof SERVICES)[number];

const declared = new WeakSet<object>();

/** Declares the endpoints of one noun of a service; keeps their literal types. */
export function api<const A extends Api>(declaration: A): A {
  declared.add(declaration);
  return declaration;
}

/** True for what {@link api} made. */
export function isApi(value: unknown): value is Api {
  return typeof value === 'object' && value !== null && declared.has(value);
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;
type Input<S> = S extends z.ZodType ? z.input<S> : undefined;

/** A body as it came, for an endpoint that reads it itself. */
export interface UnparsedBody {
  mediaType: MediaType;
  bytes: Uint8Array;
}

/** What a handler is given. */
export interface EndpointRequest<E extends Endpoint> {
  params: Output<E['params']>;
  query: Output<E['query']>;
  body: E['unparsed'] extends true ? UnparsedBody : Output<E['body']>;
}

/** A body that is no JSON: its media type, and its content or the pieces of it. */
export interface Rendition {
  mediaType: MediaType;
  content: string | Uint8Array | AsyncIterable<string | Uint8Array>;
}

/** What a handler may answer: a declared status with its body. */
export type EndpointReply<E extends Endpoint> = {
  [S in keyof E['responses'] & number]: {
    status: S;
    body: (E['responses'][S] extends z.ZodType ? z.input<E['responses'][S]> : null) | Rendition;
    headers?: Record<string, string | string[]>;
  };
}[keyof E['responses'] & number];

/** What a client sends. */
export type EndpointCall<E extends Endpoint> = (E['params'] extends z.ZodType
  ? { params: Input<E['params']> }
  : { params?: undefined }) &
  (E['query'] extends z.ZodType ? { query?: Input<E['query']> } : { query?: undefined }) &
  (E['body'] extends z.ZodType ? { body: Input<E['body']> } : { body?: undefined });

/** The body a client gets on success. */
export type EndpointResult<E extends Endpoint> = {
  [S in keyof E['responses'] & number]: Output<E['responses'][S]>;
}[keyof E['responses'] & number];
