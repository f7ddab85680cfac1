import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Client, evaluationsApi, reportsApi, scenariosApi, sessionsApi } from '@muster/contracts';
import { problemOf, startTestService, type TestService } from '@muster/testing';
import { exercises } from '../src/service.ts';
import { scenarioUpload, sessionInput } from './fixtures.ts';

const SCENARIO = 'reported-laptop.json';
let service: TestService;
let reports: Client<typeof reportsApi>;

beforeAll(async () => {
  service = await startTestService(exercises);
  reports = service.client(reportsApi);
  await service.client(scenariosApi).createScenario({ body: scenarioUpload({ filename: SCENARIO }) });
});
afterAll(async () => service.stop());

async function played(changes: Parameters<typeof sessionInput>[1] = {}): Promise<string> {
  const { body } = await service.client(sessionsApi).createSession({ body: sessionInput(SCENARIO, changes) });
  return body.id;
}

async function form(id: string, format: string): Promise<{ type: string | null; bytes: Buffer }> {
  const answer = await service.fetch(`${service.url}/api/sessions/${id}/report/?format=${format}`);
  expect(answer.status).toBe(200);
  return { type: answer.headers.get('content-type'), bytes: Buffer.from(await answer.arrayBuffer()) };
}

/** How many pages a PDF says that it has. */
const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;

describe('a report', () => {
  test('before an evaluation holds the numbers, and says that it holds no more', async () => {
    const id = await played({
      responses: [{ inject_id: 'I1', at_minutes: 20, actions: ['A1'], decision: 'Done.', role: 'lead' }],
      observations: [{ objective_id: 'O1', rating: 'S', note: 'Late call.', observer: 'Evaluator' }],
    });
    const { body } = await reports.getReport({ params: { id } });
    expect(body).toMatchObject({
      overview: {
        title: 'At the table',
        scenario: SCENARIO,
        conduct: 'recorded',
        participants: [{ name: 'Head of IT', role: 'Incident lead' }],
        roles_absent: [],
        scope: { planned_minutes: 60, injects: 2, injects_played: 2 },
      },
      figures: {
        overall: 25,
        rating: 'U',
        actions_expected: 3,
        actions_on_time: 0,
        actions_late: 1,
        actions_missed: 2,
        critical_missed: 0,
      },
      evaluation: null,
      improvement_plan: [],
    });
    expect(body.figures.rating).toBe(
      (await service.client(sessionsApi).getScores({ params: { id } })).body.rating,
    );
    expect(body.objectives[0]).toMatchObject({
      rating: 'S',
      rating_source: 'observer',
      evaluated: null,
      observations: [{ note: 'Late call.' }],
    });
    expect(body.timeline[0]?.decisions).toEqual([
      { minute: 20, role: 'Incident lead', recorded_by: null, late: true, text: 'Done.' },
    ]);
    const html = (await form(id, 'html')).bytes.toString();
    expect(html).toContain('Numbers only');
    expect(html).toContain('improvement plan comes with the evaluation');
  });

  test('after an evaluation has its words, and a plan with owners and calendar dates', async () => {
    const id = await played({
      responses: [{ inject_id: 'I1', at_minutes: 5, decision: 'We wiped the laptop.' }],
    });
    const made = await service.client(evaluationsApi).evaluateSession({ params: { id }, body: {} });
    if (!('improvements' in made.body)) throw new Error('a job came back');
    const { body } = await reports.getReport({ params: { id } });
    expect(body.summary).toBe(made.body.summary);
    expect(body.evaluation).toEqual({ engine: made.body.engine, created_at: made.body.created_at });
    expect(body.improvement_plan.map(({ title }) => title)).toEqual(
      made.body.improvements.map(({ title }) => title),
    );
    const [row] = body.improvement_plan;
    const days = made.body.improvements[0]?.due_in_days ?? 0;
    const due = new Date(new Date(made.body.created_at).getTime() + days * 86_400_000);
    expect(row).toMatchObject({ number: 1, owner: 'Incident lead', due_on: due.toISOString().slice(0, 10) });
    expect(body.objectives[0]?.evaluated?.evidence[0]).toEqual({
      inject_id: 'I1',
      quote: 'We wiped the laptop',
    });
    expect((await form(id, 'html')).bytes.toString()).toContain(`${row?.title}`.replaceAll('&', '&amp;'));
  });

  test('compares with the exercise before it, of the same organization only', async () => {
    const day = (date: string) => ({ started_at: `${date}T09:00:00Z`, ended_at: `${date}T10:00:00Z` });
    const first = await played({ ...day('2025-01-10'), title: 'The first', responses: [] });
    const second = await played({
      ...day('2025-02-10'),
      responses: [{ inject_id: 'I1', at_minutes: 5, actions: ['A1', 'A2'] }],
    });
    expect((await reports.getReport({ params: { id: first } })).body.since_last).toBeNull();
    const { since_last } = (await reports.getReport({ params: { id: second } })).body;
    const containment = {
      capability: 'containment',
      control: { framework: 'nist-csf-2.0', control: 'RS.MI-01' },
    };
    expect(since_last).toMatchObject({
      session_id: first,
      title: 'The first',
      overall: { before: 0, after: 75, change: 75 },
      gaps_closed: [containment],
      gaps_new: [],
      gaps_still_open: [{ capability: 'regulatory', control: null }],
    });
  });

  test('comes as JSON, HTML and PDF by Accept, and in no other form', async () => {
    const id = await played();
    const address = `${service.url}/api/sessions/${id}/report/`;
    const typeFor = async (accept: string) =>
      (await service.fetch(address, { headers: { accept } })).headers.get('content-type');
    expect(await typeFor('*/*')).toMatch(/^application\/json/);
    expect(await typeFor('text/html,application/xhtml+xml')).toBe('text/html; charset=utf-8');
    expect(await typeFor('application/pdf')).toBe('application/pdf');
    expect((await service.fetch(address, { headers: { accept: 'text/csv' } })).status).toBe(406);
    expect((await service.fetch(`${address}?format=docx`)).status).toBe(422);
    const { bytes } = await form(id, 'pdf');
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pagesOf(bytes)).toBeGreaterThan(2);
  });

  test('of an unfinished session is refused, of an unknown one and by another organization not found', async () => {
    const id = await played({ status: 'in_progress', ended_at: undefined });
    const refused = await problemOf(reports.getReport({ params: { id } }));
    expect(refused.problem.type).toBe('urn:muster:problem:in-progress');
    const unknown = { id: '01923f5e-7b1a-7c3d-9e2f-5a6b7c8d9e0f' };
    expect(await problemOf(reports.getReport({ params: unknown }))).toMatchObject({ status: 404 });
    const other = service.client(
      reportsApi,
      service.tokens.sign({ org: '01900000-0000-7000-8000-00000000000b' }),
    );
    const params = { id: await played() };
    expect(await problemOf(other.getReport({ params }))).toMatchObject({ status: 404 });
  });
});

describe('hostile text', () => {
  const SCRIPT = '<script>alert(1)</script><img src=x onerror=alert(2)>"\'&';
  const TEXTS: [string, string][] = [
    ['markup', `${SCRIPT} We wiped the laptop.`],
    [
      'from right to left',
      'قمنا بمسح الحاسوب المحمول \u202e gnp.exe \u2067 מחקנו את המחשב. We wiped the laptop.',
    ],
    [
      '100 000 characters',
      `We wiped the laptop. ${'We talked about it for long. '.repeat(4000)}`.slice(0, 100_000),
    ],
    ['one word of 100 000 characters', 'x'.repeat(100_000)],
    ['control characters and emoji', 'a\u0001b\u001b[31m\ud83d\ude80\ufeff We wiped the laptop.'],
  ];

  test.each(TEXTS)('%s: is shown as text in every form', async (_name, text) => {
    const id = await played({
      title: `${SCRIPT} ${text}`.slice(0, 190),
      participants: [{ name: SCRIPT, role: 'lead' }],
      responses: [{ inject_id: 'I1', at_minutes: 5, decision: text, notes: SCRIPT }],
      observations: [
        { objective_id: 'O1', rating: 'U', note: text.slice(0, 8000), observer: SCRIPT.slice(0, 100) },
      ],
    });
    const evaluated = await service.client(evaluationsApi).evaluateSession({ params: { id }, body: {} });
    expect(evaluated.status).toBe(201);
    expect((await reports.getReport({ params: { id } })).status).toBe(200);
    const html = (await form(id, 'html')).bytes.toString();
    expect(html).not.toMatch(/<script|<img|\sonerror=[^&]*alert\(2\)>/i);
    expect(html).toContain('&lt;script&gt;alert(1)');
    expect(html).not.toContain('\u202e');
    const { bytes } = await form(id, 'pdf');
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pagesOf(bytes)).toBeGreaterThan(2);
    expect(pagesOf(bytes)).toBeLessThan(30);
  });
});
