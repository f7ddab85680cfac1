import { afterEach, describe, expect, test } from '@jest/globals';
import { scenarioContent } from '@muster/contracts';
import { type AiSettings, createAi } from '../src/index.ts';
import { memoryBudget } from './budget.fixture.ts';
import { CANARY, evaluatedBy, GOOD, record } from './evaluated.ts';
import { completion, message, type Script, type ScriptedModel, scriptedModel } from './scripted-model.ts';
import { hospital, played } from './table.ts';

let model: ScriptedModel;
afterEach(async () => {
  await model.close();
});

async function ask(script: Script[], settings: Partial<AiSettings> = {}, budget = memoryBudget(1_000_000)) {
  model = await scriptedModel(...script);
  return await evaluatedBy(model, settings, budget);
}
const RULES = { kind: 'rules', degraded: true };

describe('a model that does not answer', () => {
  const failing: [string, Script[], RegExp][] = [
    ['refuses', [completion('', { finish: 'content_filter' })], /refused/],
    ['fails', [{ status: 500, body: { error: { message: 'secret stack' } } }], /failed \(500\)/],
    ['does not know the key', [{ status: 401, body: { error: { message: 'no' } } }], /API key/],
    ['does not know the model', [{ status: 404, body: 'not here' }], /does not know/],
    [
      'answers with a page',
      [{ headers: { 'content-type': 'text/html' }, body: '<html>proxy</html>' }],
      /could be read/,
    ],
    [
      'redirects',
      [{ status: 307, headers: { location: 'http://127.0.0.1:9/steal' }, body: '' }],
      /reached|read/,
    ],
    ['answers without end', [{ body: `{"choices": "${'x'.repeat(5_000_000)}"}` }], /reached|read|too much/],
  ];

  test.each(failing)('%s: rules answer, and say why', async (_name, script, reason) => {
    const { engine, result } = await ask(script);
    expect(engine).toMatchObject(RULES);
    expect(engine.reason).toMatch(reason);
    expect(engine.reason).not.toContain('secret stack');
    expect(result.summary).not.toBe('');
  });

  test('in time: rules answer when the deadline has passed', async () => {
    const started = performance.now();
    const { engine, usage } = await ask(['silence'], { timeout_ms: 300 });
    expect(performance.now() - started).toBeLessThan(3000);
    expect(engine.reason).toMatch(/in time/);
    expect(usage).toEqual({ input_tokens: 0, output_tokens: 0, cost_usd: 0 });
  });

  const busy = (seconds: string): Script => ({
    status: 429,
    headers: { 'retry-after': seconds },
    body: { error: { message: 'slow down' } },
  });

  test('for a moment (429) is asked again when it says so', async () => {
    const { engine } = await ask([busy('0'), completion(GOOD)]);
    expect(engine.kind).toBe('llm');
    expect(model.bodies).toHaveLength(2);
  });

  test('for longer than the deadline (429) is not waited for', async () => {
    const { engine } = await ask([busy('30')], { timeout_ms: 400 });
    expect(engine).toMatchObject(RULES);
    expect(model.bodies).toHaveLength(1);
  });

  test('ends with its caller', async () => {
    model = await scriptedModel('silence');
    const settings = { provider: 'openai_compatible' as const, base_url: model.url, model: 'scripted' };
    const signal = AbortSignal.timeout(100);
    await expect(createAi({ settings }).evaluateSession(record, { signal })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });
});

describe('budget', () => {
  test('used up: nothing is asked, rules answer and say so', async () => {
    const budget = memoryBudget(100);
    const { engine } = await ask([completion(GOOD)], {}, budget);
    expect(engine).toMatchObject(RULES);
    expect(engine.reason).toMatch(/budget/);
    expect(model.bodies).toHaveLength(0);
    expect(budget.left()).toBe(100);
  });

  test('gets back what a failed call had set aside', async () => {
    const budget = memoryBudget(1_000_000);
    await ask([{ status: 500, body: '' }], {}, budget);
    expect(budget.left()).toBe(1_000_000);
  });
});

describe('settings', () => {
  test.each([
    [{ model: null }, /no model/],
    [{ base_url: null }, /no base URL/],
  ])('%j: rules answer and say what is missing', async (settings, reason) => {
    const { engine } = await ask([completion(GOOD)], settings);
    expect(engine).toMatchObject(RULES);
    expect(engine.reason).toMatch(reason);
  });

  test('without structured outputs the schema is told in words', async () => {
    const { engine } = await ask([completion(GOOD)], { structured_outputs: false });
    expect(engine.kind).toBe('llm');
    expect(JSON.parse(model.bodies[0] ?? '').response_format).toEqual({ type: 'json_object' });
    expect(model.bodies[0]).toContain('The JSON schema of your answer');
  });

  test('rules: no model is asked', async () => {
    const { engine, usage } = await ask([completion(GOOD)], { provider: 'rules' });
    expect(engine).toEqual({ kind: 'rules', degraded: false });
    expect(usage).toEqual({ input_tokens: 0, output_tokens: 0, cost_usd: 0 });
    expect(model.bodies).toHaveLength(0);
  });

  test('the fetch that is given is the one that is used', async () => {
    const asked: string[] = [];
    model = await scriptedModel(completion(GOOD));
    const settings = {
      provider: 'openai_compatible' as const,
      base_url: 'https://model.example/v1',
      model: 'scripted',
    };
    const fetch = async (url: string | URL | Request, init?: RequestInit) => {
      asked.push(String(url));
      return await globalThis.fetch(`${model.url}/chat/completions`, init);
    };
    const { engine } = await createAi({ settings, fetch }).evaluateSession(record);
    expect(engine.kind).toBe('llm');
    expect(asked).toEqual(['https://model.example/v1/chat/completions']);
  });
});

test.each([
  ['https://api.openai.com/v1', 'max_completion_tokens'],
  ['https://ours.openai.azure.com/openai/v1', 'max_completion_tokens'],
  ['https://openai.com.example/v1', 'max_tokens'],
  ['http://127.0.0.1:11434/v1', 'max_tokens'],
])('%s is given the limit as %s', async (base_url, name) => {
  const bodies: string[] = [];
  model = await scriptedModel(completion(GOOD));
  const fetch = async (_url: string | URL | Request, init?: RequestInit) => {
    bodies.push(String(init?.body));
    return await globalThis.fetch(`${model.url}/chat/completions`, init);
  };
  const settings = { provider: 'openai_compatible' as const, base_url, model: 'scripted' };
  await createAi({ settings, fetch }).evaluateSession(record);
  expect(Object.keys(JSON.parse(bodies[0] ?? '')).filter((key) => key.startsWith('max_'))).toEqual([name]);
});

test('too much material for a model is left to the rules', async () => {
  const inject = hospital.injects[0];
  const many = Array.from({ length: 100 }, (_, at) => ({
    ...inject,
    id: `J${at}`,
    description: 'x '.repeat(4000),
  }));
  const huge = played(
    scenarioContent.parse({ ...hospital, injects: [...hospital.injects, ...many].slice(0, 100) }),
    [],
  );
  model = await scriptedModel(completion(GOOD));
  const settings = { provider: 'openai_compatible' as const, base_url: model.url, model: 'scripted' };
  const { engine } = await createAi({ settings }).writePlaybook(huge);
  expect(engine.reason).toMatch(/too much material/);
  expect(model.bodies).toHaveLength(0);
});

describe('Anthropic', () => {
  const settings = { provider: 'anthropic' as const, model: 'claude-sonnet-4-5' };

  test('answers', async () => {
    const { result, engine, usage } = await ask([message(GOOD)], settings);
    expect(engine).toEqual({ kind: 'llm', model: settings.model, degraded: false });
    expect(result).toEqual(GOOD);
    expect(usage).toMatchObject({ input_tokens: 900, output_tokens: 100 });
    expect(model.headers[0]?.['x-api-key']).toBe('the-key');
    expect(model.bodies[0]).not.toContain(CANARY.email);
  });

  test('fails: rules answer', async () => {
    const { engine } = await ask(
      [{ status: 529, body: { type: 'error', error: { type: 'overloaded_error', message: 'x' } } }],
      {
        ...settings,
        timeout_ms: 1000,
      },
    );
    expect(engine).toMatchObject(RULES);
  });

  test('without a key is not asked', async () => {
    const { engine } = await ask([message(GOOD)], { ...settings, api_key: null });
    expect(engine.reason).toMatch(/no API key/);
    expect(model.bodies).toHaveLength(0);
  });
});
