import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import type { Api, Endpoint } from '../core/endpoint.ts';
import { PROBLEMS, type ProblemCode, problem, problemBody } from '../core/problem.ts';

const JSON_TYPE = 'application/json';

const requestHeaders = z.object({
  'x-request-id': z
    .string()
    .optional()
    .meta({ description: 'Your id for this request; one is made if absent.' }),
});
const postHeaders = requestHeaders.extend({
  'idempotency-key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: 'The same key and body replays the stored answer for 24 h.' }),
});
const changeHeaders = requestHeaders.extend({
  'if-match': z
    .string()
    .optional()
    .meta({ description: 'The `ETag` you have read: 412 where it is no longer that.' }),
});
const queueHeaders = postHeaders.extend({
  prefer: z.string().optional().meta({ description: '`respond-async`, or `wait=N` seconds (0..60)' }),
});

/** The OpenAPI 3.1 document of the given APIs, all from their declarations. */
export function openApiDocument(apis: readonly Api[], about: { version: string; serverUrl: string }) {
  const paths: ZodOpenApiPathsObject = {};
  for (const api of apis) {
    for (const [name, endpoint] of Object.entries(api.endpoints)) {
      if (endpoint.internal) continue;
      const method = endpoint.method.toLowerCase() as 'get';
      paths[endpoint.path] = { ...paths[endpoint.path], [method]: operation(name, api, endpoint) };
    }
  }
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Muster',
        version: about.version,
        description: 'Security tabletop exercises: scenarios, sessions, scores, evidence.',
        contact: { name: 'Who runs this installation', url: about.serverUrl },
        license: { name: 'All rights reserved', url: about.serverUrl },
      },
      servers: [{ url: about.serverUrl }],
      tags: apis.map(({ tag, about: description }) => ({ name: tag, description })),
      security: [{ bearer: [] }],
      paths,
      components: {
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      },
    },
    { override: ({ jsonSchema }) => nameRequired(jsonSchema) },
  );
}

/** A record with a closed set of keys requires them; readers look for what is required among the properties. */
function nameRequired(schema: z.core.JSONSchema.BaseSchema): void {
  const { required, properties, additionalProperties } = schema;
  if (!required || properties || typeof additionalProperties !== 'object') return;
  schema.properties = Object.fromEntries(required.map((key) => [key, additionalProperties]));
  schema.additionalProperties = false;
  delete schema.propertyNames;
}

function operation(name: string, api: Api, endpoint: Endpoint): ZodOpenApiOperationObject {
  const scope = endpoint.scope ? `, scope \`${endpoint.scope}\`` : '';
  const access = endpoint.role === 'public' ? 'Public.' : `Role: ${endpoint.role}${scope}.`;
  return {
    operationId: name,
    tags: [api.tag],
    summary: endpoint.summary,
    description: `${endpoint.description} ${access}`,
    ...(endpoint.role === 'public' && { security: [] }),
    requestParams: {
      ...(endpoint.params && { path: endpoint.params }),
      ...(endpoint.query && { query: endpoint.query }),
      header: headersOf(endpoint),
    },
    ...(endpoint.body && {
      requestBody: {
        required: !endpoint.body.safeParse(undefined).success,
        content: requestContent(endpoint),
      },
    }),
    responses: { ...failures(endpoint), ...successes(endpoint), ...otherwise(endpoint) },
  };
}

function headersOf(endpoint: Endpoint): z.ZodObject {
  if (endpoint.method === 'PUT' || endpoint.method === 'PATCH') return changeHeaders;
  if (endpoint.method !== 'POST') return requestHeaders;
  return endpoint.delivery === 'queue' ? queueHeaders : postHeaders;
}

function requestContent(endpoint: Endpoint) {
  const types = endpoint.accepts ?? [JSON_TYPE];
  return Object.fromEntries(
    types.map((type) => [
      type,
      type === 'multipart/form-data'
        ? { schema: z.object({ file: z.string().meta({ format: 'binary' }) }) }
        : withExample(endpoint.body),
    ]),
  );
}

/** What a status means where it is not just done. */
const DESCRIPTIONS: Record<string, string> = {
  202: 'Accepted: a job, at `Location`',
  302: 'On to `Location`',
  400: 'A page that says what was wrong',
  401: 'A page that says why signing in failed',
  403: 'A page that says why this is not allowed',
};

function successes(endpoint: Endpoint) {
  const type = endpoint.produces ?? JSON_TYPE;
  const others = (endpoint.renditions ?? []).map((form) => [form, { schema: z.string() }]);
  return Object.fromEntries(
    Object.entries(endpoint.responses).map(([status, schema]) => [
      status,
      {
        description: DESCRIPTIONS[status] ?? 'Done',
        ...(schema && { content: { [type]: withExample(schema), ...Object.fromEntries(others) } }),
      },
    ]),
  );
}

/** What only redirects names no success; readers expect one, or to be told what any other answer is. */
function otherwise(endpoint: Endpoint) {
  const succeeds = Object.keys(endpoint.responses).some((status) => status.startsWith('2'));
  const about = { detail: 'Something went wrong.', instance: endpoint.path, requestId: 'req-7f3a' };
  const content = {
    'application/problem+json': { schema: problem, example: problemBody('internal', about) },
  };
  return succeeds ? {} : { default: { description: 'Any other answer is a failure', content } };
}

const withExample = (schema: z.ZodType | undefined) => ({ schema, example: schema?.meta()?.example });

function failures(endpoint: Endpoint) {
  const codes: ProblemCode[] = ['malformed-header', 'rate-limited', 'unavailable'];
  if (endpoint.role !== 'public') codes.push('unauthorized', 'forbidden');
  if (endpoint.params) codes.push('not-found');
  if (endpoint.body) codes.push('malformed-json', 'too-large', 'unsupported-media-type');
  if (endpoint.method === 'POST') codes.push('idempotency-key-reused');
  if (endpoint.body || endpoint.query) codes.push('validation-failed');
  if (endpoint.method === 'PUT' || endpoint.method === 'PATCH') codes.push('precondition-failed');
  if (endpoint.method !== 'GET') codes.push('conflict');
  return Object.fromEntries(
    codes.map((code) => {
      const [status, description] = PROBLEMS[code];
      const about = { detail: `${description}.`, instance: endpoint.path, requestId: 'req-7f3a' };
      const content = { schema: problem, example: problemBody(code, about) };
      return [String(status), { description, content: { 'application/problem+json': content } }];
    }),
  );
}
