import type { z } from 'zod';
import type { Role, Scope } from './roles.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type MediaType =
  | 'application/json'
  | 'application/yaml'
  | 'multipart/form-data'
  | 'text/event-stream'
  | 'text/html';

/**
 * One declared endpoint. Validation, handlers' types, documents, the client and the gateway's routes follow from it.
 * The schemas of its bodies carry an example each: `.meta({ example })`.
 */
export interface Endpoint {
  method: Method;
  /** As routed, trailing slash included; placeholders in braces: `/api/sessions/{id}/`. */
  path: `/${string}`;
  summary: string;
  description?: string;
  /** The weakest role that may call it; `public` needs no token. */
  role: Role | 'public';
  /** What an API token must carry; absent where a session or any token will do. */
  scope?: Scope;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Accepted request types, default JSON only. */
  accepts?: readonly MediaType[];
  /** Largest body in bytes, default 1 MiB. */
  maxBytes?: number;
  /** A success status each, with its body; `null` where there is none. */
  responses: Partial<Record<200 | 201 | 202 | 204, z.ZodType | null>>;
  /** The answer's type where it is not JSON. */
  produces?: MediaType;
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

/** Declares the endpoints of one noun of a service; keeps their literal types. */
export function api<const A extends Api>(declaration: A): A {
  return declaration;
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;
type Input<S> = S extends z.ZodType ? z.input<S> : undefined;

/** What a handler is given. */
export interface EndpointRequest<E extends Endpoint> {
  params: Output<E['params']>;
  query: Output<E['query']>;
  body: Output<E['body']>;
}

/** What a handler may answer: a declared status with its body. */
export type EndpointReply<E extends Endpoint> = {
  [S in keyof E['responses'] & number]: {
    status: S;
    body: E['responses'][S] extends z.ZodType ? z.input<E['responses'][S]> : null;
    headers?: Record<string, string>;
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
