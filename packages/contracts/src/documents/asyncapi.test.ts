import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { events } from '../catalogue.ts';
import { cloudEvent } from '../core/event.ts';
import { asyncApiDocument } from './asyncapi.ts';

interface Message {
  payload: object;
  examples: { payload: Record<string, unknown> }[];
}
interface Document {
  asyncapi: string;
  channels: Record<string, { address: string; messages: Record<string, { $ref: string }> }>;
  operations: Record<
    string,
    { action: string; summary: string; channel: { $ref: string }; messages: { $ref: string }[] }
  >;
  components: { messages: Record<string, Message> };
}

const document = JSON.parse(JSON.stringify(asyncApiDocument(events, { version: '1' }))) as Document;

/** What a reference leads to: RFC 6901 within the document. */
function at(reference: string): unknown {
  const steps = reference.slice(2).split('/');
  return steps.reduce<unknown>((value, step) => (value as Record<string, unknown>)?.[step], document);
}

test('is AsyncAPI 3, and every reference in it leads somewhere', () => {
  expect(document.asyncapi).toBe('3.0.0');
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(([, to = '']) => to);
  expect(references.length).toBeGreaterThanOrEqual(3 * events.length);
  for (const reference of references)
    expect([reference, typeof at(reference)]).toEqual([reference, 'object']);
});

test('names keep to what every reader takes as a key', () => {
  const { channels, operations, components } = document;
  for (const name of Object.keys({ ...channels, ...components.messages })) expect(name).toMatch(/^[\w-]+$/);
  for (const name of Object.keys(operations)) expect(name).toMatch(/^publish\.[\w-]+$/);
});

describe.each(events.map((event) => [event.type, event] as const))('%s', (type, event) => {
  const [name, channel] = Object.entries(document.channels).find(([, { address }]) => address === type) ?? [];
  const operation = document.operations[`publish.${name}`];
  const message = at(channel?.messages.event?.$ref ?? '#/') as Message;

  test('has its channel and is published there', () => {
    expect(operation).toMatchObject({ action: 'send', summary: event.summary });
    expect(at(operation?.channel.$ref ?? '')).toBe(channel);
    expect(operation?.messages.map(({ $ref }) => at($ref))).toEqual([channel?.messages.event]);
  });

  test('shows an example that is a whole CloudEvent and fits its payload', () => {
    const fits = new Ajv({ strict: false, validateFormats: false }).compile(message.payload);
    for (const { payload } of message.examples) {
      expect(fits(payload) ? [] : fits.errors).toEqual([]);
      expect(cloudEvent.parse(payload)).toEqual(payload);
      expect(payload).toMatchObject({ type, source: `/${event.source}`, data: event.example });
    }
    expect(message.examples.length).toBeGreaterThan(0);
    expect(fits({ ...message.examples[0]?.payload, type: 'another.type.v1' })).toBe(false);
  });
});
