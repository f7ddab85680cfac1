import { describe, expect, test } from '@jest/globals';
import type { z } from 'zod';
import { accessEvents, apis, eventOf, events, subscribers } from './catalogue.ts';
import { cloudEvent } from './core/event.ts';
import { PROBLEMS, type ProblemCode, problem, problemBody } from './core/problem.ts';
import { platformApis } from './platform/platform.api.ts';

const endpoints = [...apis, ...platformApis('exercises')].flatMap((api) => Object.entries(api.endpoints));
const requests = endpoints.flatMap(([name, { body }]) => (body ? [[name, body] as const] : []));
const responses = endpoints.flatMap(([name, endpoint]) =>
  Object.entries<z.ZodType | null | undefined>(endpoint.responses).flatMap(([status, schema]) =>
    schema ? [[name, status, schema] as const] : [],
  ),
);
const exampleOf = (schema: z.ZodType) => schema.meta()?.example;

describe('examples', () => {
  test.each(requests)('%s takes its own example', (_name, body) => {
    expect(exampleOf(body)).toBeDefined();
    body.parse(exampleOf(body));
  });

  test.each(responses)('%s %s: the example is all of what it answers', (_name, _status, schema) => {
    const example = exampleOf(schema);
    expect(example).toBeDefined();
    expect(schema.parse(example)).toEqual(example);
  });

  test.each(events.map((event) => [event.type, event] as const))('%s', (_type, { data, example }) => {
    expect(data.parse(example)).toEqual(example);
  });
});

describe('events', () => {
  test('have one declaration each', () => {
    const types = events.map(({ type }) => type);
    expect(new Set(types).size).toBe(types.length);
    for (const event of events) expect(eventOf(event.type)).toBe(event);
    expect(eventOf('exercises.session.completed.v2')).toBeUndefined();
  });

  test.each(events)('$type says its source, noun, deed and version', ({ type, source, aggregate }) => {
    expect(type).toMatch(/^[a-z-]+\.[a-z-]+\.[a-z-]+\.v[1-9]\d*$/);
    expect(type.split('.').slice(0, 2)).toEqual([source, aggregate]);
  });

  test('are subscribed to as they are declared, each service to each at most once', () => {
    const subscribed = Object.values(subscribers);
    expect(subscribed.length).toBeGreaterThan(1);
    for (const declared of subscribed) {
      expect(new Set(declared).size).toBe(declared.length);
      expect(declared).toEqual(expect.arrayContaining(Object.values(accessEvents)));
      for (const event of declared) expect(events).toContain(event);
    }
  });

  test('travel in an envelope that refuses another form', () => {
    const [event] = events;
    const sent = {
      specversion: '1.0',
      id: '1',
      source: '/exercises',
      type: event?.type,
      subject: '1',
      time: '2026-03-01T09:30:00.000Z',
      datacontenttype: 'application/json',
      orgid: '1',
      seq: 0,
      data: event?.example,
    };
    expect(cloudEvent.parse(sent)).toEqual(sent);
    expect(cloudEvent.safeParse({ ...sent, specversion: '0.3' }).success).toBe(false);
    expect(cloudEvent.safeParse({ ...sent, seq: -1 }).success).toBe(false);
    expect(cloudEvent.safeParse({ ...sent, orgid: undefined }).success).toBe(false);
  });
});

describe('endpoints', () => {
  const jobless = endpoints.filter(([, { delivery }]) => delivery === 'queue');

  test.each(jobless)('%s may take longer, so it may also answer a job', (_name, { responses }) => {
    expect(Object.keys(responses)).toContain('202');
    expect(Object.keys(responses).length).toBeGreaterThan(1);
  });

  test.each(endpoints)('%s declares the placeholders of its path, no more and no less', (_name, declared) => {
    const placeholders = [...declared.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(declared.params?.shape ?? {})).toEqual(placeholders);
  });

  test.each(endpoints)('%s changes nothing by being read', (_name, { method, body }) => {
    if (method === 'GET') expect(body).toBeUndefined();
  });
});

test.each(Object.keys(PROBLEMS) as ProblemCode[])(
  'the problem %s is an error and fits its schema',
  (code) => {
    const errors = [{ path: '/a', code: 'c', message: 'm', in: 'body' }];
    const body = problemBody(code, { detail: 'd', instance: '/i', requestId: 'r', errors });
    expect(problem.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      type: `urn:muster:problem:${code}`,
      instance: '/i',
      request_id: 'r',
      errors,
    });
    expect(body.status).toBeGreaterThanOrEqual(400);
  },
);
