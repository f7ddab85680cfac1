import { expect, test } from '@jest/globals';
import { endpoint } from '@muster/contracts';
import { z } from 'zod';
import { requireDeclared } from './answers.ts';

const card = z.object({ kind: z.literal('card'), tags: z.array(z.object({ name: z.string() })) });
const note = z.object({
  kind: z.literal('note'),
  text: z.string().toLowerCase(),
  shared: z.boolean().default(false),
});
const declared = endpoint({
  method: 'GET',
  path: '/api/things/',
  description: 'Of the tests',
  summary: 'Of the tests',
  role: 'viewer',
  responses: { 200: z.union([card, note]), 201: z.looseObject({ id: z.string() }), 204: null },
});
const answered = (status: number, body: unknown) => requireDeclared(declared, { status, headers: {}, body });

test.each([
  [200, { kind: 'card', tags: [{ name: 'a' }] }],
  [200, { kind: 'card', tags: [], gone: undefined }],
  [200, { kind: 'note', text: 'a', shared: true }],
  [201, { id: '1', free: 'form' }],
  [204, null],
  [200, { mediaType: 'text/html', content: 'no JSON' }],
])('%d with %j is as declared', async (status, body) => {
  await answered(status, body);
});

test.each([
  [200, { kind: 'card', tags: [{ name: 'a', secret: 1 }] }, '/tags/0/secret is not declared'],
  [200, { kind: 'card', tags: [{}] }, '/tags/0/name Invalid input'],
  [200, { kind: 'note', text: 'a' }, '/shared is missing'],
  [200, { kind: 'note', text: 'A', shared: true }, '/text is written otherwise'],
  [200, null, 'Invalid input'],
  [204, { id: '1' }, 'a body is not declared'],
  [302, null, 'this status is not declared'],
])('%d with %j is not: %s', async (status, body, problem) => {
  const raised = await answered(status, body).catch((error: Error) => error.message);
  expect(raised).toMatch(`GET /api/things/ answers ${status} against its contract: `);
  expect(raised).toContain(problem);
});
