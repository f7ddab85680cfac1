import { describe, expect, test } from '@jest/globals';
import {
  completionQuestion,
  hostOf,
  isCompletion,
  listsModel,
  modelQuestion,
  statusDetail,
} from './provider.rules.ts';

const compatible = {
  provider: 'openai_compatible',
  base_url: 'https://ai.example.org/v1/',
  model: 'm',
} as const;
const anthropic = { provider: 'anthropic', base_url: null, model: 'claude/x' } as const;

describe('the questions', () => {
  test('to a compatible provider: its list of models, then one token', () => {
    expect(modelQuestion(compatible, 'k')).toEqual({
      url: 'https://ai.example.org/v1/models',
      method: 'GET',
      headers: { authorization: 'Bearer k' },
    });
    const { url, method, body = '' } = completionQuestion(compatible, 'k');
    expect([method, url]).toEqual(['POST', 'https://ai.example.org/v1/chat/completions']);
    expect(JSON.parse(body)).toMatchObject({ model: 'm', max_tokens: 1 });
  });

  test('without a key carry none', () => {
    expect(modelQuestion(compatible, null).headers).toEqual({});
  });

  test('to Anthropic: the model itself, which cannot lead to another path', () => {
    const { url, headers } = modelQuestion(anthropic, 'k');
    expect(url).toBe('https://api.anthropic.com/v1/models/claude%2Fx');
    expect(headers).toEqual({ 'x-api-key': 'k', 'anthropic-version': expect.any(String) });
    expect(hostOf(anthropic)).toBe('api.anthropic.com');
  });
});

test.each([
  [{ data: [{ id: 'a' }, { id: 'm' }] }, true],
  [{ data: [{ id: 'a' }] }, false],
  [{ data: [null, 1, 'm'] }, false],
  [{ data: 'm' }, false],
  [null, false],
  ['<html>', false],
])('%j lists the model: %s', (answer, listed) => {
  expect(listsModel(answer, 'm')).toBe(listed);
});

test('a completion has choices', () => {
  expect(isCompletion({ choices: [] })).toBe(true);
  for (const other of [null, {}, { choices: 'x' }, [], 'x']) expect(isCompletion(other)).toBe(false);
});

test.each([
  [401, true, /refuses the API key/],
  [401, false, /asks for an API key/],
  [404, true, /does not know the model m/],
  [429, true, /quota/],
  [500, true, /failure of its own/],
  [400, true, /check the model's name/],
  [302, true, /check the address/],
])('HTTP %i (key: %s) is explained', (status, hasKey, detail) => {
  expect(statusDetail(compatible, hasKey, status)).toMatch(detail);
});
