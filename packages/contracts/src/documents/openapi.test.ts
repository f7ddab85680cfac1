import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { apis } from '../catalogue.ts';
import type { Endpoint } from '../core/endpoint.ts';
import { platformApis } from '../platform/platform.api.ts';
import { openApiDocument } from './openapi.ts';

interface Media {
  schema: object;
  example?: unknown;
}
interface Content {
  content?: Record<string, Media>;
}
interface Operation {
  operationId: string;
  description: string;
  security?: unknown[];
  parameters?: { in: string; name: string; required?: boolean; schema: object }[];
  requestBody?: Content;
  responses: Record<string, Content & { description: string }>;
}
interface Document {
  openapi: string;
  servers: unknown[];
  security: unknown[];
  paths: Record<string, Record<string, Operation>>;
}

const all = [...apis, ...platformApis('exercises')];
const about = { version: '1.2.3', serverUrl: 'https://train.example.org' };
const document = JSON.parse(JSON.stringify(openApiDocument(all, about))) as Document;

const everything = all.flatMap(({ endpoints }) => Object.entries<Endpoint>(endpoints));
const declared = everything.filter(([, { internal }]) => !internal);
const operations = declared.map(([name, endpoint]) => [name, endpoint, operationOf(endpoint)] as const);

function operationOf({ method, path }: Endpoint): Operation {
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`${method} ${path} is not in the document`);
  return operation;
}

/** Every request and answer body of the document, by where it stands. */
const media = operations.flatMap(([name, endpoint, { requestBody, responses }]) =>
  Object.entries({ request: requestBody ?? {}, ...responses }).flatMap(([part, { content = {} }]) =>
    Object.entries(content).map(([type, body]) => {
      const pointer = ['paths', endpoint.path, endpoint.method.toLowerCase()];
      const inside =
        part === 'request' ? ['requestBody', 'content', type] : ['responses', part, 'content', type];
      return [name, part, type, body, [...pointer, ...inside, 'schema']] as const;
    }),
  ),
);
/** A form, and what a resource is rendered as, have no JSON to show. */
const rendered = new Set(operations.flatMap(([, { renditions = [] }]) => renditions.map(String)));
const examples = media.filter(([, , type]) => type !== 'multipart/form-data' && !rendered.has(type));

const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'openapi.json');
const pointerTo = (steps: readonly string[]) =>
  `openapi.json#${steps.map((step) => `/${encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`;

test('is OpenAPI 3.1, of this version, at this address', () => {
  expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: about.serverUrl }] });
  expect(document).toMatchObject({ info: { title: 'Muster', version: '1.2.3' } });
});

test('has every declared endpoint and nothing else, each with a name of its own', () => {
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(ids.toSorted()).toEqual(declared.map(([name]) => name).toSorted());
  expect(new Set(ids).size).toBe(ids.length);
});

test('keeps what is internal to itself', () => {
  const internal = everything.filter(([, endpoint]) => endpoint.internal);
  expect(internal.length).toBeGreaterThan(0);
  for (const [, { path }] of internal) expect(document.paths).not.toHaveProperty([path]);
});

test('every reference leads to a component', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"(#[^"]*)"/g)].map(([, to = '']) => to);
  expect(references.length).toBeGreaterThan(20);
  for (const reference of new Set(references)) {
    expect(reference).toMatch(/^#\/components\/schemas\/\w+$/);
    expect(ajv.getSchema(`openapi.json${reference}`)).toBeInstanceOf(Function);
  }
});

const isRequired = ({ query }: Endpoint, name: string) =>
  query?.shape[name] !== undefined && !query.shape[name].safeParse(undefined).success;
/** The type of a refusal that is declared as a page. */
const pageAt = ({ responses, produces }: Endpoint, status: string) =>
  Object.keys(responses).includes(status) ? produces : undefined;

describe('every operation', () => {
  test.each(operations)(
    '%s says who may call it',
    (_name, endpoint, { security, responses, description }) => {
      if (endpoint.role === 'public') {
        expect(security).toEqual([]);
        if (!endpoint.responses[401]) expect(responses).not.toHaveProperty('401');
        return;
      }
      expect(security).toBeUndefined();
      expect(document.security).toEqual([{ bearer: [] }]);
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '403']));
      expect(description).toContain(`Role: ${endpoint.role}`);
      if (endpoint.scope) expect(description).toContain(`scope \`${endpoint.scope}\``);
    },
  );

  test.each(operations)('%s has its parameters', (_name, endpoint, { parameters = [] }) => {
    const named = (where: string) => parameters.filter((one) => one.in === where).map(({ name }) => name);
    expect(named('path')).toEqual(Object.keys(endpoint.params?.shape ?? {}));
    expect(named('query')).toEqual(Object.keys(endpoint.query?.shape ?? {}));
    expect(named('header')).toContain('x-request-id');
    expect(named('header').includes('idempotency-key')).toBe(endpoint.method === 'POST');
    expect(named('header').includes('prefer')).toBe(endpoint.delivery === 'queue');
    expect(named('header').includes('if-match')).toBe(['PUT', 'PATCH'].includes(endpoint.method));
    for (const one of parameters)
      expect(one.required === true).toBe(one.in === 'path' || isRequired(endpoint, one.name));
  });

  test.each(operations)(
    '%s has its successes and the problems it can end in',
    (_name, endpoint, operation) => {
      const statuses = Object.keys(operation.responses);
      const body = endpoint.body ? ['400', '413', '415', '422'] : [];
      const params = endpoint.params ? ['404'] : [];
      const change = endpoint.method === 'GET' ? [] : ['409'];
      const expected = [
        ...Object.keys(endpoint.responses),
        '400',
        '429',
        '503',
        ...body,
        ...params,
        ...change,
      ];
      expect(statuses).toEqual(expect.arrayContaining(expected));
      for (const [status, { content }] of Object.entries(operation.responses))
        if (status >= '400')
          expect(Object.keys(content ?? {})).toEqual([
            pageAt(endpoint, status) ?? 'application/problem+json',
          ]);
    },
  );

  test.each(operations)('%s takes the types it declares', (_name, endpoint, { requestBody }) => {
    const types = endpoint.body ? (endpoint.accepts ?? ['application/json']) : [];
    expect(Object.keys(requestBody?.content ?? {})).toEqual(types);
  });
});

describe('every body', () => {
  test.each(examples)(
    '%s %s %s has an example that fits its schema',
    (_name, _part, _type, body, pointer) => {
      expect(body.example).toBeDefined();
      const fits = ajv.getSchema(pointerTo(pointer));
      expect(fits?.(body.example) ? [] : fits?.errors).toEqual([]);
    },
  );

  const problems = media.filter(([, , type]) => type === 'application/problem+json');
  test.each(problems)(
    '%s %s: the problem in the example is that one',
    (_name, status, _type, { example }) => {
      const code = status === 'default' ? 500 : Number(status);
      expect(example).toMatchObject({ status: code, type: expect.stringMatching(/^urn:muster:/) });
    },
  );
});

test('the schemas refuse what is no example', () => {
  const session = media.find(([name, part]) => name === 'createSession' && part === 'request');
  const fits = ajv.getSchema(pointerTo(session?.[4] ?? []));
  expect(fits?.({ scenario: 'a.json', surprise: 1 })).toBe(false);
  expect(fits?.({ scenario: 'A' })).toBe(false);
});
