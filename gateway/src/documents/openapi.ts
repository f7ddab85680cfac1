import { openApiDocument } from '@muster/contracts';
import { z } from 'zod';
import { health } from '../health/health.ts';
import { forwardedApis } from '../routing/routes.ts';

/** The OpenAPI 3.1 document of the whole product: every forwarded endpoint and the gateway's own. */
export function wholeOpenApi(about: { version: string; serverUrl: string }) {
  const document = openApiDocument(forwardedApis, about);
  return { ...document, paths: { ...document.paths, ...ownPaths() } };
}

function ownPaths() {
  const healthy = {
    status: 'ok',
    version: '0.1.0',
    mode: 'development',
    services: { exercises: { status: 'ok' }, gateway: { status: 'ok' } },
  };
  return {
    '/health': get('getHealth', 'Whether the deployment works, part by part', 'application/json', {
      schema: z.toJSONSchema(health),
      example: healthy,
    }),
    '/openapi.json': get('getOpenApi', 'This document', 'application/json'),
    '/asyncapi.json': get('getAsyncApi', 'The domain events, as AsyncAPI 3', 'application/json'),
    '/docs': get('getDocs', 'Interactive API reference with a try-it feature', 'text/html'),
    '/redoc': get('getRedoc', 'Reference documentation view', 'text/html'),
  };
}

function get(operationId: string, summary: string, type: string, content: object = {}) {
  return {
    get: {
      operationId,
      summary,
      description: 'Public.',
      tags: ['Platform'],
      security: [],
      responses: { 200: { description: 'Done', content: { [type]: content } } },
    },
  };
}
