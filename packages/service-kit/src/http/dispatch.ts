import type { Endpoint, RouteMatch } from '@muster/contracts';
import type { Request, Response } from 'express';
import type { Origin } from '../access/check.ts';
import { type Actor, mayCall, systemActor } from '../auth/actor.ts';
import { forbidden } from '../auth/authenticate.ts';
import { type Ctx, createContext } from '../context.ts';
import { currentTrace, withTrace } from '../telemetry/trace.ts';
import type { CommandAudit, CommandAudits } from './audit.ts';
import { readBody } from './body.ts';
import { addressOf, callerOf } from './caller.ts';
import { type Command, type CommandParts, perform } from './command.ts';
import { refuseCrossSite } from './cross-site.ts';
import { matcher } from './handlers.ts';
import { waitOf } from './headers.ts';
import { type Places, tooManyStreams } from './places.ts';
import { methodNotAllowed, nothingHere } from './refusals.ts';
import { send } from './send.ts';
import { streamSignal } from './stream.ts';
import { validated } from './validation.ts';

const DEADLINE_MS = 25_000;

export interface Dispatch extends CommandParts {
  /** @param known told whose the token is, also of one that is refused then */
  authenticate(request: Request, origin: Origin, known: (actor: Actor) => void): Promise<Actor>;
  audits: CommandAudits;
  /** Aborts when the service begins to stop. */
  stopping: AbortSignal;
  places: Places;
}

/** The canonical address of what was asked for, with or without its trailing slash. */
export class Redirect extends Error {
  readonly location: string;
  constructor(location: string) {
    super(location);
    this.location = location;
  }
}

/** Answers one request: find the endpoint, who calls, may they, what do they say, run it, answer. */
export function dispatcher(parts: Dispatch) {
  return async function dispatch(request: Request, response: Response): Promise<void> {
    const match = findRoute(parts, request);
    const { endpoint } = match.route;
    response.locals.endpoint = match.route.name;
    const audit = parts.audits.of(match, request);
    let known: Actor | undefined;
    const enter = () =>
      actorOf(parts, endpoint, request, (actor) => {
        known = actor;
      });
    const answer = async () => {
      const actor = await enter();
      const last = () => parts.places.last(response, actor);
      if (isStream(endpoint) && !last()) throw tooManyStreams();
      await inTrace(actor, () => answerFor(parts, { match, request, response, actor, audit, enter, last }));
    };
    await answer().catch((error: unknown) => {
      if (known) audit?.refused(known, error);
      throw error;
    });
  };
}

/** One request, and who is behind it. */
interface Entered {
  match: RouteMatch;
  request: Request;
  response: Response;
  actor: Actor;
  audit: CommandAudit | null;
  enter: () => Promise<Actor>;
  last: Command['last'];
}

async function answerFor(parts: Dispatch, entered: Entered): Promise<void> {
  const { match, request, response, actor, audit, enter, last } = entered;
  const { endpoint } = match.route;
  const waitMs = waitOf(headerOf(request, 'prefer'));
  const body = await readBody(request, response, endpoint);
  const input = validated(endpoint, { params: match.params, query: request.query, body: body.value });
  const signal = isStream(endpoint)
    ? streamSignal(response, parts.stopping, actor.via === 'development' ? stays : enter)
    : AbortSignal.timeout(DEADLINE_MS + waitMs);
  const address = addressOf(request);
  const ctx = createContext(parts.runtime, { actor, signal, address, command: audit?.underWay });
  const requireMatch = matcher(headerOf(request, 'if-match'));
  const caller = callerOf(request);
  const run = (inside: Ctx) => parts.handlerOf(match)(inside, { ...input, requireMatch, caller });
  const command: Command = { endpoint, request, body: body.bytes, waitMs, last, run, audit };
  await send(request, response, await perform(ctx, parts, command));
}

/** The gateway's proof is for the beginning, and nothing ends the demo owner. */
const stays = async () => undefined;

/** It lasts until somebody ends it; all else has a deadline. */
const isStream = (endpoint: Endpoint) => endpoint.produces === 'text/event-stream';

function findRoute(parts: Dispatch, request: Request): RouteMatch {
  const [path = '', query] = request.originalUrl.split(/\?(.*)/s, 2);
  const answer = parts.find(request.method, path);
  if (answer.kind === 'match') return answer.match;
  if (answer.kind === 'redirect')
    throw new Redirect(query === undefined ? answer.path : `${answer.path}?${query}`);
  throw answer.kind === 'not-found' ? nothingHere() : methodNotAllowed(answer.allow);
}

async function actorOf(
  parts: Dispatch,
  endpoint: Endpoint,
  request: Request,
  known: (actor: Actor) => void,
): Promise<Actor> {
  // The product's own parts are no browsers.
  if (endpoint.internal) refuseCrossSite(request, { usesCookie: false, own: [] });
  if (endpoint.role === 'public') return systemActor('', parts.runtime.service);
  const { anyAddress = false } = endpoint;
  const actor = await parts.authenticate(request, { address: addressOf(request), anyAddress }, known);
  if (!mayCall(actor, endpoint)) throw forbidden({ role: endpoint.role, scope: endpoint.scope });
  return actor;
}

function inTrace(actor: Actor, work: () => Promise<void>): Promise<void> {
  const trace = currentTrace();
  return trace ? withTrace({ ...trace, orgId: actor.org }, work) : work();
}

function headerOf(request: Request, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}
