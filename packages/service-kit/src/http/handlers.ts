import type { Api, Endpoint, EndpointReply, EndpointRequest } from '@muster/contracts';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';
import type { Caller } from './caller.ts';
import { matchesEtag } from './headers.ts';
import type { Queued } from './reply.ts';

/** What a handler is given beside its context. */
export type HandlerRequest<E extends Endpoint> = EndpointRequest<E> & {
  caller: Caller;
  /** Raises `precondition-failed` when the caller's `If-Match` names another version. */
  requireMatch(etag: string): void;
};

/** Answers one endpoint. A command's handler (any method but GET) runs in one transaction and may run again. */
export type Handler<E extends Endpoint> = (
  ctx: Ctx,
  request: HandlerRequest<E>,
) => Promise<EndpointReply<E> | QueuedReply<E>>;

type QueuedReply<E extends Endpoint> = E['delivery'] extends 'queue' ? Queued : never;

/** The handlers of an API: one for each declared endpoint, or it does not compile. */
export type Handlers<A extends Api> = {
  [Name in keyof A['endpoints']]: Handler<A['endpoints'][Name]>;
};

export interface Routes {
  api: Api;
  handlers: Record<string, Handler<Endpoint>>;
}

/** Joins a declared API and its handlers. */
export function routes<A extends Api>(api: A, handlers: Handlers<A>): Routes {
  return { api, handlers: handlers as unknown as Routes['handlers'] };
}

/** Checks `If-Match` against a resource's version. */
export function matcher(ifMatch: string | undefined) {
  return (etag: string) => {
    if (ifMatch === undefined || matchesEtag(ifMatch, `"${etag}"`)) return;
    throw new AppError(
      'precondition-failed',
      'It has changed since you read it: read it again, then repeat your change.',
    );
  };
}
