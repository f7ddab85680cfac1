import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  type Client,
  type Conduct,
  conductApi,
  type InjectResponse,
  scenariosApi,
  sessionsApi,
} from '@muster/contracts';
import { eventually, problemOf, startTestService, type TestService } from '@muster/testing';
import { exercises } from '../src/service.ts';
import { scenarioUpload } from './fixtures.ts';

const SCENARIO = 'live-laptop.json';
let service: TestService;
let sessions: Client<typeof sessionsApi>;
let table: Client<typeof conductApi>;

beforeAll(async () => {
  service = await startTestService(exercises);
  sessions = service.client(sessionsApi);
  table = service.client(conductApi);
  const [first, second] = scenarioUpload().injects;
  if (!first || !second) throw new Error('the fixture has two injects');
  const injects = [first, { ...second, offset_minutes: 0.01, regulatory: ['gdpr' as const] }];
  await service
    .client(scenariosApi)
    .createScenario({ body: scenarioUpload({ filename: SCENARIO, injects }) });
});
afterAll(async () => service.stop());

const open = async () =>
  (await sessions.createSession({ body: { scenario: SCENARIO, status: 'in_progress' } })).body.id;
const tell = (id: string, body: NonNullable<Parameters<typeof table.commandConduct>[0]>['body']) =>
  table.commandConduct({ params: { id }, body });
const decide = (id: string, response: Partial<InjectResponse> & { inject_id: string }) =>
  sessions.addResponses({ params: { id }, body: response });

/** The states that a watcher of the stream is shown, until it ends. */
async function watch(id: string): Promise<{ seen: Conduct[]; ended: Promise<void> }> {
  const response = await service.fetch(`${service.url}/api/sessions/${id}/conduct/stream`);
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const seen: Conduct[] = [];
  const read = async () => {
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const data = /^data: (.*)$/m.exec(event)?.[1];
        if (data) seen.push(JSON.parse(data));
      }
    }
  };
  return { seen, ended: read() };
}

test('a table runs live: everybody sees the same, and completing it scores it', async () => {
  const id = await open();
  const watchers = await Promise.all([watch(id), watch(id)]);
  const allSee = (face: Partial<Conduct>) =>
    eventually(async () => {
      for (const { seen } of watchers) expect(seen.at(-1)).toMatchObject(face);
    });
  await tell(id, { command: 'start' });
  await allSee({ phase: 'running' });
  await eventually(async () => {
    const { body } = await table.getConduct({ params: { id } });
    expect(body.injects.map(({ status }) => status)).toEqual(['released', 'released']);
  });
  const decided = await decide(id, { inject_id: 'I1', actions: ['A1'], decision: 'We locked the account.' });
  const [recorded] = decided.body.responses;
  expect(recorded).toMatchObject({ recorded_by: 'Demo owner', recorded_at: expect.any(String) });
  expect(recorded?.at_minutes).toBeLessThan(1);
  await allSee({ decisions: decided.body.responses });
  await sessions.updateSession({ params: { id }, body: { status: 'completed' } });
  await Promise.all(watchers.map(({ ended }) => ended));
  for (const { seen } of watchers) {
    const faces = seen.map(({ version, phase }) => `${version} ${phase}`);
    expect([...new Set(faces)]).toEqual(['1 ready', '2 running', '3 running', '4 completed']);
  }
  const { body: scores } = await sessions.getScores({ params: { id } });
  expect(scores.injects[0]).toMatchObject({ taken: ['A1'], timing: 'known' });
  expect(scores.regulatory).toMatchObject([{ clock: 'gdpr-72h', status: 'not_reported' }]);
});

test('paused, nothing is released; resumed, it is', async () => {
  const id = await open();
  await tell(id, { command: 'start' });
  const paused = await tell(id, { command: 'pause' });
  expect(paused.body).toMatchObject({ phase: 'paused', next: null });
  await new Promise((passed) => setTimeout(passed, 800));
  const { body } = await table.getConduct({ params: { id } });
  expect(body.injects[1]?.status).toBe('waiting');
  await tell(id, { command: 'resume' });
  await eventually(async () => {
    const { body: later } = await table.getConduct({ params: { id } });
    expect(later.injects[1]?.status).toBe('released');
  });
});

test('what somebody wrote down with a time keeps it', async () => {
  const id = await open();
  await tell(id, { command: 'start', release: 'hand' });
  const { body } = await decide(id, { inject_id: 'I2', at_minutes: 7 });
  expect(body.responses[0]?.at_minutes).toBe(7);
});

test('two facilitators complete at once: one wins, the other gets a 409', async () => {
  const id = await open();
  const complete = () => sessions.updateSession({ params: { id }, body: { status: 'completed' } });
  const outcomes = await Promise.allSettled([complete(), complete()]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const refused = outcomes.find((outcome) => outcome.status === 'rejected');
  expect(refused?.reason).toMatchObject({ status: 409 });
});

test('many at the table write at once: every decision is kept', async () => {
  const id = await open();
  const decisions = Array.from({ length: 10 }, (_, index) => `decision ${index}`);
  await Promise.all(decisions.map((decision) => decide(id, { inject_id: 'I1', decision })));
  const { body } = await sessions.getSession({ params: { id } });
  expect(body.responses.map(({ decision }) => decision).toSorted()).toEqual(decisions);
});

test.each([
  ['a command nobody knows', { command: 'stop' }, 422],
  ['an inject that is not there', { command: 'release', inject_id: 'I9' }, 422],
  ['pausing what was not started', { command: 'pause' }, 409],
])('%s is refused and changes nothing', async (_name, body, status) => {
  const id = await open();
  if (status === 422) await tell(id, { command: 'start', release: 'hand' });
  const before = await sessions.getSession({ params: { id } });
  expect(await problemOf(tell(id, body as never))).toMatchObject({ status });
  expect((await sessions.getSession({ params: { id } })).body).toEqual(before.body);
});

test('a decision of 100 000 characters in any script, with control characters, is kept as it is', async () => {
  const id = await open();
  const decision = '封じ込め تعزل Ⓘ \u0000\u0007\u001b[31m\ud83d '.repeat(4000).slice(0, 100_000);
  await decide(id, { inject_id: 'I1', decision });
  const done = await sessions.updateSession({ params: { id }, body: { status: 'completed' } });
  expect(done.body.responses[0]?.decision).toBe(decision.toWellFormed());
  expect(done.body.scores).not.toBeNull();
});
