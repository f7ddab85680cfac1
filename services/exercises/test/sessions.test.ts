import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Client, scenariosApi, sessionsApi, settingsUpdated } from '@muster/contracts';
import { eventually, problemOf, publishEvent, startTestService, type TestService } from '@muster/testing';
import { v7 } from 'uuid';
import { exercises } from '../src/service.ts';
import { scenarioUpload, sessionInput } from './fixtures.ts';

const SCENARIO = 'lost-laptop.json';
let service: TestService;
let sessions: Client<typeof sessionsApi>;

beforeAll(async () => {
  service = await startTestService(exercises);
  sessions = service.client(sessionsApi);
  await service.client(scenariosApi).createScenario({ body: scenarioUpload({ filename: SCENARIO }) });
});
afterAll(async () => service.stop());

describe('saving', () => {
  test('a completed session is scored, and keeps its copy of the scenario', async () => {
    const saved = await sessions.createSession({ body: sessionInput(SCENARIO) });
    expect(saved.status).toBe(201);
    expect(saved.headers.get('location')).toBe(`/api/sessions/${saved.body.id}/`);
    expect(saved.body).toMatchObject({
      scenario_title: 'Lost laptop',
      started_at: '2026-03-02T09:00:00.000Z',
      scores: { overall: 100, rating: 'P', maturity_level: 5 },
    });
    const { body: scores } = await sessions.getScores({ params: { id: saved.body.id } });
    expect(scores.injects[0]).toMatchObject({ id: 'I1', taken: ['A1', 'A2'], missed: [], minutes: 5 });
    expect(scores.injects[1]).toMatchObject({ id: 'I2', taken: ['A1'], minutes: 10 });
  });

  test('what was missed or late becomes a gap with its controls', async () => {
    const responses = [
      { inject_id: 'I1', at_minutes: 20, actions: ['A1'], decision: 'We did not wipe the laptop.' },
    ];
    const { body } = await sessions.createSession({ body: sessionInput(SCENARIO, { responses }) });
    const { body: scores } = await sessions.getScores({ params: { id: body.id } });
    // (2 × 0.5 + 1 × 0 + 1 × 0) / 4
    expect(scores.overall).toBe(25);
    expect(scores.gaps.map(({ inject_id, action_id, reason }) => [inject_id, action_id, reason])).toEqual(
      expect.arrayContaining([
        ['I1', 'A1', 'late'],
        ['I1', 'A2', 'missed'],
        ['I2', 'A1', 'missed'],
      ]),
    );
    expect(scores.gaps.find((gap) => gap.action_id === 'A2')?.controls).toEqual([
      { framework: 'nist-csf-2.0', control: 'RS.MI-01' },
    ]);
  });

  test('names everything that does not fit the scenario, and stores nothing', async () => {
    const before = (await sessions.listSessions()).body.total;
    const wrong = sessionInput(SCENARIO, {
      started_at: '2026-03-02T10:00:00Z',
      ended_at: '2026-03-02T09:00:00Z',
      participants: [{ name: 'Somebody', role: 'nobody' }],
      responses: [{ inject_id: 'I9' }, { inject_id: 'I1', actions: ['A9'] }],
      observations: [{ objective_id: 'O9' }],
    });
    const { problem } = await problemOf(sessions.createSession({ body: wrong }));
    expect(problem.status).toBe(422);
    expect(problem.errors?.map((error) => error.path).sort()).toEqual([
      '/ended_at',
      '/observations/0/objective_id',
      '/participants/0/role',
      '/responses/0/inject_id',
      '/responses/1/actions/0',
    ]);
    const gone = await problemOf(sessions.createSession({ body: sessionInput('never-there.json') }));
    expect(gone.problem.errors).toMatchObject([{ path: '/scenario', code: 'unknown_scenario' }]);
    expect((await sessions.listSessions()).body.total).toBe(before);
  });

  test('a repeat under the same key makes one session, also when both come at once', async () => {
    const before = (await sessions.listSessions()).body.total;
    const headers = { 'idempotency-key': 'save-1' };
    const calls = await Promise.allSettled(
      [1, 2, 3].map(() => sessions.createSession({ body: sessionInput(SCENARIO) }, { headers })),
    );
    const ids = calls.flatMap((call) => (call.status === 'fulfilled' ? [call.value.body.id] : []));
    const refused = calls.flatMap((call) => (call.status === 'rejected' ? [call.reason.status] : []));
    expect(new Set(ids).size).toBe(1);
    expect(refused.every((status) => status === 409)).toBe(true);
    expect((await sessions.listSessions()).body.total).toBe(before + 1);
  });
});

describe('a table that runs live', () => {
  test('collects responses, is not scored before it ends, and then does not change', async () => {
    const opened = await sessions.createSession({ body: { scenario: SCENARIO, status: 'in_progress' } });
    const params = { id: opened.body.id };
    expect(opened.body).toMatchObject({ status: 'in_progress', ended_at: null, scores: null });
    expect((await problemOf(sessions.getScores({ params }))).status).toBe(409);

    await sessions.addResponses({ params, body: { inject_id: 'I1', at_minutes: 3, actions: ['A1', 'A2'] } });
    const more = await sessions.addResponses({
      params,
      body: { responses: [{ inject_id: 'I2', actions: ['A1'] }] },
    });
    expect(more.body.responses.length).toBe(2);
    expect(more.headers.get('etag')).toBe('"3"');

    const stale = await problemOf(
      sessions.updateSession({ params, body: { status: 'completed' } }, { headers: { 'if-match': '"1"' } }),
    );
    expect(stale.status).toBe(412);
    const completed = await sessions.updateSession(
      { params, body: { status: 'completed' } },
      { headers: { 'if-match': '"3"' } },
    );
    expect(completed.body).toMatchObject({ status: 'completed', scores: { overall: 100 } });
    const { body: scores } = await sessions.getScores({ params });
    expect(scores.injects[1]).toMatchObject({ minutes: null, timing: 'unknown', late: [] });

    expect((await problemOf(sessions.updateSession({ params, body: { title: 'Later' } }))).status).toBe(409);
    expect((await problemOf(sessions.addResponses({ params, body: { inject_id: 'I1' } }))).status).toBe(409);
  });

  test('of two facilitators who complete it at once, one wins', async () => {
    const { body } = await sessions.createSession({ body: { scenario: SCENARIO, status: 'in_progress' } });
    const complete = () => sessions.updateSession({ params: { id: body.id }, body: { status: 'completed' } });
    const calls = await Promise.allSettled([complete(), complete()]);
    const statuses = calls.map((call) =>
      call.status === 'fulfilled' ? call.value.status : call.reason.status,
    );
    expect(statuses.sort()).toEqual([200, 409]);
  });
});

describe('listing', () => {
  test('filters by status, scenario and time', async () => {
    await sessions.createSession({
      body: sessionInput(SCENARIO, { started_at: '2025-01-01T00:00:00Z', ended_at: '2025-01-01T01:00:00Z' }),
    });
    const old = await sessions.listSessions({ query: { to: '2025-06-01T00:00:00Z' } });
    expect(old.body.items.map((item) => item.started_at)).toEqual(['2025-01-01T00:00:00.000Z']);
    const running = await sessions.listSessions({ query: { status: 'in_progress' } });
    expect(running.body.items.every((item) => item.status === 'in_progress')).toBe(true);
    expect((await sessions.listSessions({ query: { scenario: 'other.json' } })).body.total).toBe(0);
  });

  test("another organization's session is not there", async () => {
    const { body } = await sessions.createSession({ body: sessionInput(SCENARIO) });
    const other = service.client(
      sessionsApi,
      service.tokens.sign({ org: '01900000-0000-7000-8000-00000000000b' }),
    );
    const params = { id: body.id };
    expect((await problemOf(other.getSession({ params }))).status).toBe(404);
    expect((await problemOf(other.getScores({ params }))).status).toBe(404);
    expect((await problemOf(other.updateSession({ params, body: { title: 'Mine' } }))).status).toBe(404);
    expect((await problemOf(other.addResponses({ params, body: { inject_id: 'I1' } }))).status).toBe(404);
    expect((await other.listSessions()).body.total).toBe(0);
  });

  test('a viewer reads and does not write; a token without the scope does neither', async () => {
    const viewer = service.client(sessionsApi, service.tokens.sign({ role: 'viewer' }));
    expect((await viewer.listSessions()).status).toBe(200);
    expect((await problemOf(viewer.createSession({ body: sessionInput(SCENARIO) }))).status).toBe(403);
    const narrow = service.client(sessionsApi, service.tokens.sign({ scopes: ['dashboard:read'] }));
    expect((await problemOf(narrow.listSessions())).status).toBe(403);
  });
});

test('the bands of the organization rate its sessions', async () => {
  const org = v7();
  await publishEvent(service.env.AMQP_URL ?? '', settingsUpdated, {
    org,
    subject: org,
    seq: 1,
    data: settingsUpdated.data.parse({
      ...settingsUpdated.example,
      scoring: { bands: { P: 3, S: 2, M: 1 } },
    }),
  });
  const token = service.tokens.sign({ org });
  const own = service.client(sessionsApi, token);
  await service.client(scenariosApi, token).createScenario({ body: scenarioUpload({ filename: SCENARIO }) });
  await eventually(async () => {
    const responses = [{ inject_id: 'I1', at_minutes: 1, actions: ['A1'] }];
    const { body } = await own.createSession({ body: sessionInput(SCENARIO, { responses }) });
    const { body: scores } = await own.getScores({ params: { id: body.id } });
    // Half of it is a P by nobody's bands but these.
    expect(scores).toMatchObject({ overall: 50, rating: 'P' });
  });
});
