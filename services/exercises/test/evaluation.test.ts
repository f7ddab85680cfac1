import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Client,
  type EvaluationContent,
  evaluationsApi,
  scenariosApi,
  sessionsApi,
} from '@muster/contracts';
import { aiBudgets, aiCalls } from '@muster/service-kit';
import { problemOf, startTestService, type TestService } from '@muster/testing';
import {
  completion,
  type Script,
  type ScriptedModel,
  scriptedModel,
} from '../../../packages/ai/test/scripted-model.ts';
import { evaluations as stored } from '../src/evaluations/evaluation.model.ts';
import { exercises } from '../src/service.ts';
import { insideOf, MODEL_KEY, setAi } from './ai.fixture.ts';
import { scenarioUpload, sessionInput } from './fixtures.ts';

const SCENARIO = 'evaluated-laptop.json';
const WIPED = 'We wiped the laptop.';
let service: TestService;
let evaluations: Client<typeof evaluationsApi>;
let model: ScriptedModel | undefined;

beforeAll(async () => {
  service = await startTestService(exercises, { AI_PRICES: 'scripted=1/2' });
  evaluations = service.client(evaluationsApi);
  await service.client(scenariosApi).createScenario({ body: scenarioUpload({ filename: SCENARIO }) });
});
afterEach(async () => model?.close());
afterAll(async () => service.stop());

/** A completed session in which the account was never locked. @returns its id */
async function played(changes: Parameters<typeof sessionInput>[1] = {}): Promise<string> {
  const { body } = await service.client(sessionsApi).createSession({
    body: sessionInput(SCENARIO, {
      responses: [
        { inject_id: 'I1', at_minutes: 20, decision: WIPED },
        { inject_id: 'I2', at_minutes: 30, decision: 'We called the privacy officer.' },
      ],
      ...changes,
    }),
  });
  return body.id;
}

async function scripted(...script: Script[]): Promise<void> {
  model = await scriptedModel(...script);
  await setAi(service, {
    provider: 'openai_compatible',
    base_url: model.url,
    model: 'scripted',
    timeout_ms: 5000,
  });
}

const WRITTEN: EvaluationContent = {
  summary: 'The laptop was wiped, the account stayed open.',
  strengths: [{ text: 'Wiped in time.', evidence: [{ inject_id: 'I1', quote: WIPED }] }],
  improvements: [
    {
      title: 'Say who locks accounts',
      recommendation: 'The incident lead locks the account within ten minutes.',
      priority: 'P1',
      element: 'planning',
      owner_role: 'lead',
      due_in_days: 30,
      gap_ids: ['I1:A1'],
      controls: [{ framework: 'nist-csf-2.0', control: 'RS.MI-01' }],
    },
  ],
  objective_ratings: [
    {
      objective_id: 'O1',
      rating: 'M',
      rationale: 'Wiped, not locked.',
      evidence: [{ inject_id: 'I1', quote: WIPED }],
    },
  ],
};

describe('by rules', () => {
  test('every rating quotes the session, the plan answers its gaps, and it is read back', async () => {
    const params = { id: await played() };
    expect(await problemOf(evaluations.getEvaluation({ params }))).toMatchObject({ status: 404 });
    const made = await evaluations.evaluateSession({ params, body: undefined });
    expect(made.status).toBe(201);
    if (!('engine' in made.body)) throw new Error('a job came back');
    expect(made.body.engine).toEqual({ kind: 'rules', degraded: false });
    const rated = made.body.objective_ratings.filter(({ rating }) => rating !== null);
    expect(rated.map(({ objective_id }) => objective_id)).toEqual(['O1', 'O2']);
    const said = [WIPED, 'We called the privacy officer.'].join('\n');
    for (const { evidence } of rated) {
      expect(evidence.length).toBeGreaterThan(0);
      for (const { quote } of evidence) expect(said).toContain(quote);
    }
    expect(made.body.improvements.flatMap(({ gap_ids }) => gap_ids)).toContain('I1:A1');
    expect((await evaluations.getEvaluation({ params })).body).toEqual(made.body);
  });

  test('asked not to wait, it answers a job that leads to the evaluation', async () => {
    const params = { id: await played() };
    const later = await evaluations.evaluateSession(
      { params, body: {} },
      { headers: { prefer: 'respond-async' } },
    );
    expect(later.status).toBe(202);
    expect(later.headers.get('location')).toMatch(/^\/api\/jobs\//);
    const again = await evaluations.evaluateSession({ params, body: {} });
    expect(again.status).toBe(201);
  });

  test('an unfinished session is refused, an unknown one and that of another organization are not there', async () => {
    const id = await played({ status: 'in_progress', ended_at: undefined });
    const unfinished = await problemOf(evaluations.evaluateSession({ params: { id }, body: {} }));
    expect(unfinished).toMatchObject({ status: 409 });
    expect(unfinished.problem.type).toBe('urn:muster:problem:in-progress');
    const unknown = { id: '01923f5e-7b1a-7c3d-9e2f-5a6b7c8d9e0f' };
    expect(await problemOf(evaluations.evaluateSession({ params: unknown, body: {} }))).toMatchObject({
      status: 404,
    });
    const params = { id: await played() };
    const other = service.client(
      evaluationsApi,
      service.tokens.sign({ org: '01900000-0000-7000-8000-00000000000b' }),
    );
    expect(await problemOf(other.evaluateSession({ params, body: {} }))).toMatchObject({ status: 404 });
    expect(await problemOf(other.getEvaluation({ params }))).toMatchObject({ status: 404 });
    const member = service.client(evaluationsApi, service.tokens.sign({ role: 'member' }));
    expect(await problemOf(member.evaluateSession({ params, body: {} }))).toMatchObject({ status: 403 });
  });
});

describe('by a model', () => {
  test('writes it; the key goes to the provider, the names of people do not, and the call is recorded', async () => {
    await scripted(completion(WRITTEN));
    const params = { id: await played() };
    const { body } = await evaluations.evaluateSession({ params, body: {} });
    expect(body).toMatchObject({
      engine: { kind: 'llm', model: 'scripted', degraded: false },
      summary: WRITTEN.summary,
    });
    expect(model?.headers[0]?.authorization).toBe(`Bearer ${MODEL_KEY}`);
    expect(model?.bodies.join()).not.toContain('head.of.it@example.org');
    const [call] = await aiCalls(insideOf(service)).find({}, { sort: { at: -1 }, limit: 1 });
    expect(call).toMatchObject({
      job: 'evaluate-session',
      engine: 'llm',
      model: 'scripted',
      input_tokens: 1000,
      output_tokens: 200,
      cost_usd: 0.0014,
      degraded: null,
    });
    const [budget] = await aiBudgets(insideOf(service)).find({});
    expect(budget?.tokens).toBe(1200);
  });

  const failures: [string, Script[], RegExp][] = [
    ['fails', [{ status: 500, body: {} }], /failed \(500\)/],
    [
      'invents a quote',
      [
        completion({
          ...WRITTEN,
          strengths: [{ text: 'x', evidence: [{ inject_id: 'I1', quote: 'never said' }] }],
        }),
      ],
      /could not be used/,
    ],
  ];
  test.each(failures)('that %s: rules answer, and say so', async (_name, script, reason) => {
    await scripted(...script);
    const params = { id: await played() };
    const { body } = await evaluations.evaluateSession({ params, body: {} });
    expect(body).toMatchObject({ engine: { kind: 'rules', degraded: true } });
    expect('engine' in body && body.engine.reason).toMatch(reason);
  });

  test('at an address that may not be called, or past the budget: rules answer, and nothing is asked', async () => {
    await scripted(completion(WRITTEN));
    await setAi(service, {
      provider: 'openai_compatible',
      base_url: 'http://10.0.0.7/v1',
      model: 'scripted',
    });
    const params = { id: await played() };
    const { body: inside } = await evaluations.evaluateSession({ params, body: {} });
    expect('engine' in inside && inside.engine.reason).toMatch(/could not be asked: Only https/);
    await setAi(service, {
      provider: 'openai_compatible',
      base_url: model?.url ?? '',
      model: 'scripted',
      monthly_tokens: 100,
    });
    const { body: poor } = await evaluations.evaluateSession({ params, body: {} });
    expect('engine' in poor && poor.engine.reason).toMatch(/budget/);
    expect(model?.bodies).toEqual([]);
  });
});

test('a key that cannot be opened any more: rules answer, and say what to do', async () => {
  await scripted(completion(WRITTEN));
  const gone = `gone:${Buffer.alloc(32, 7).toString('base64')}`;
  await setAi(
    service,
    { provider: 'openai_compatible', base_url: model?.url ?? '', model: 'scripted' },
    gone,
  );
  const { body } = await evaluations.evaluateSession({ params: { id: await played() }, body: {} });
  expect(body).toMatchObject({ engine: { kind: 'rules', degraded: true } });
  expect('engine' in body && body.engine.reason).toMatch(/set it again/);
  expect(model?.bodies).toEqual([]);
});

describe("somebody else's", () => {
  test('is stored as external, and earlier ones are kept', async () => {
    const params = { id: await played() };
    const given = { ...WRITTEN, engine: { kind: 'llm', model: 'their-model' } };
    const first = await evaluations.evaluateSession({ params, body: { evaluation: given } });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({
      engine: { kind: 'external', model: 'their-model', degraded: false },
      improvements: WRITTEN.improvements,
    });
    const readBack = (await evaluations.getEvaluation({ params })).body;
    await evaluations.evaluateSession({
      params,
      body: { evaluation: { ...readBack, summary: 'Second thoughts.' } },
    });
    expect((await evaluations.getEvaluation({ params })).body.summary).toBe('Second thoughts.');
    const kept = await stored(insideOf(service)).find({ session_id: params.id }, { sort: { version: 1 } });
    expect(kept.map(({ version, content }) => [version, content.summary])).toEqual([
      [1, WRITTEN.summary],
      [2, 'Second thoughts.'],
    ]);
  });

  test('claims nothing that the session does not hold: each claim is named, and nothing is stored', async () => {
    const params = { id: await played() };
    const [improvement] = WRITTEN.improvements;
    const [rating] = WRITTEN.objective_ratings;
    if (!improvement || !rating) throw new Error('there is nothing to change');
    const evaluation = {
      ...WRITTEN,
      strengths: [{ text: 'x', evidence: [{ inject_id: 'I2', quote: WIPED }] }],
      improvements: [{ ...improvement, gap_ids: ['I9:A9'] }],
      objective_ratings: [{ ...rating, objective_id: 'O9' }],
    };
    const { status, problem } = await problemOf(
      evaluations.evaluateSession({ params, body: { evaluation } }),
    );
    expect(status).toBe(422);
    expect(problem.errors?.map(({ path }) => path)).toEqual([
      '/evaluation/strengths/0/evidence/0/quote',
      '/evaluation/improvements/0/gap_ids/0',
      '/evaluation/objective_ratings/0/objective_id',
    ]);
    const unquoted = { ...WRITTEN, objective_ratings: [{ ...rating, evidence: [] }] };
    const refused = await problemOf(evaluations.evaluateSession({ params, body: { evaluation: unquoted } }));
    expect(refused.problem.errors).toMatchObject([{ path: '/evaluation/objective_ratings/0/evidence' }]);
    expect(await problemOf(evaluations.getEvaluation({ params }))).toMatchObject({ status: 404 });
  });
});
