import type { RequestHandler } from 'express';
import { answerOptions, redirectTo } from '../routing/answers.ts';
import { methodNotAllowed } from '../routing/routes.ts';
import { targetOf } from '../routing/target.ts';

const ALLOW = 'GET, HEAD, OPTIONS';

/** Answers the gateway's own paths by the rules that hold for all: the slash, methods, OPTIONS. Passes on the rest. */
export function ownEndpoints(answers: ReadonlyMap<string, RequestHandler>): RequestHandler {
  return (request, response, next) => {
    const { path, query } = targetOf(request.url);
    const answer = answers.get(path);
    if (!answer) {
      const bare = path.slice(0, -1);
      const slashed = path.endsWith('/') && bare !== '/' && answers.has(bare);
      return slashed ? redirectTo(response, bare + query) : next();
    }
    response.locals.endpoint = path;
    if (request.method === 'OPTIONS') return answerOptions(response, ALLOW);
    if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed(ALLOW);
    return answer(request, response, next);
  };
}
