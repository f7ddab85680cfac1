import { asyncApiDocument, events } from '@muster/contracts';
import { methodNotAllowed } from '@muster/service-kit';
import type { RequestHandler } from 'express';
import { pagePolicy } from '../edge/security.ts';
import type { Health } from '../health/health.ts';
import { answerOptions, redirectTo, targetOf } from '../routing/routes.ts';
import { wholeOpenApi } from './openapi.ts';
import { jsonPage, type Page, servePage } from './page.ts';
import { viewerPages } from './viewers.ts';

const ALLOW = ['GET', 'HEAD', 'OPTIONS'];

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

/**
 * What the gateway answers itself, by path.
 * @param about.serverUrl where the documents say the API is; `/` is wherever they were read from
 */
export function ownAnswers(
  about: { version: string; serverUrl: string },
  health: () => Promise<Health>,
): Map<string, RequestHandler> {
  const pages: [string, Page][] = [
    ['/openapi.json', jsonPage(wholeOpenApi(about))],
    ['/asyncapi.json', jsonPage(asyncApiDocument(events, about))],
    ...viewerPages(),
  ];
  return new Map<string, RequestHandler>([
    ['/', (_request, response) => response.redirect(302, '/docs')],
    [
      '/health',
      async (_request, response) => {
        response.set('Cache-Control', 'no-store').json(await health());
      },
    ],
    ...pages.map(([path, page]) => [path, pageAnswer(page)] as const),
  ]);
}

function pageAnswer(page: Page): RequestHandler {
  const serve = servePage(page);
  if (!page.type.startsWith('text/html')) return serve;
  return (request, response, next) => pagePolicy(request, response, () => serve(request, response, next));
}
