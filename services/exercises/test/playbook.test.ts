import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Client,
  dashboardApi,
  evaluationsApi,
  playbooksApi,
  scenariosApi,
  sessionsApi,
} from '@muster/contracts';
import { eventually, problemOf, startTestService, type TestService } from '@muster/testing';
import { exercises } from '../src/service.ts';
import { scenarioUpload, sessionInput } from './fixtures.ts';

const SCENARIO = 'playbook-laptop.json';
let service: TestService;
let playbooks: Client<typeof playbooksApi>;

beforeAll(async () => {
  service = await startTestService(exercises);
  playbooks = service.client(playbooksApi);
  await service.client(scenariosApi).createScenario({ body: scenarioUpload({ filename: SCENARIO }) });
});
afterAll(async () => service.stop());

async function played(changes: Parameters<typeof sessionInput>[1] = {}): Promise<string> {
  const { body } = await service.client(sessionsApi).createSession({ body: sessionInput(SCENARIO, changes) });
  return body.id;
}

describe('generating', () => {
  test('marks what was performed and what never came up, and is read back and listed', async () => {
    const params = { session_id: await played() };
    expect(await problemOf(playbooks.getPlaybook({ params }))).toMatchObject({ status: 404 });
    const { status, headers, body } = await playbooks.generatePlaybook({ params });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/api/playbooks/${params.session_id}`);
    if (!('phases' in body)) throw new Error('a job came back');
    expect(body).toMatchObject({ version: 1, engine: { kind: 'rules', degraded: false }, changes: [] });
    const steps = body.phases.flatMap((phase) => phase.steps);
    expect(steps.find(({ id }) => id === 'I1.A1')).toMatchObject({
      exercised: 'performed',
      measured_minutes: 5,
      owner_role: 'lead',
    });
    expect(steps.some(({ exercised }) => exercised === 'not_exercised')).toBe(true);
    expect((await playbooks.getPlaybook({ params })).body).toEqual(body);
    const listed = (await playbooks.listPlaybooks()).body.items.find(
      ({ session_id }) => session_id === params.session_id,
    );
    expect(listed).toMatchObject({ version: 1, steps: steps.length, title: body.title });
  });

  test('again is a new version that says what changed; the old one stays readable and is listed no more', async () => {
    const params = { session_id: await played({ responses: [] }) };
    await playbooks.generatePlaybook({ params });
    const evaluation = {
      summary: 'Nothing was done.',
      strengths: [],
      objective_ratings: [],
      improvements: [
        {
          title: 'Rehearse the lock-out',
          recommendation: 'Twice a year.',
          priority: 'P1' as const,
          element: 'exercise' as const,
          owner_role: 'lead',
          due_in_days: 30,
          gap_ids: ['I1:A1'],
        },
      ],
    };
    await service
      .client(evaluationsApi)
      .evaluateSession({ params: { id: params.session_id }, body: { evaluation } });
    await playbooks.generatePlaybook({ params });
    const { body: second } = await playbooks.getPlaybook({ params });
    expect(second.version).toBe(2);
    expect(second.changes).toContainEqual(
      expect.objectContaining({ kind: 'changed', title: 'Rehearse the lock-out' }),
    );
    const first = await playbooks.getPlaybook({ params, query: { version: 1 } });
    expect(first.body).toMatchObject({ version: 1, changes: [] });
    const missing = await problemOf(playbooks.getPlaybook({ params, query: { version: 9 } }));
    expect(missing).toMatchObject({ status: 404 });
    const { items } = (await playbooks.listPlaybooks()).body;
    expect(
      items.filter(({ session_id }) => session_id === params.session_id).map(({ version }) => version),
    ).toEqual([2]);
  });

  test('needs a completed session of the caller, and the role for it', async () => {
    const open = { session_id: await played({ status: 'in_progress', ended_at: undefined }) };
    expect((await problemOf(playbooks.generatePlaybook({ params: open }))).problem.type).toBe(
      'urn:muster:problem:in-progress',
    );
    const params = { session_id: await played() };
    const member = service.client(playbooksApi, service.tokens.sign({ role: 'member' }));
    expect(await problemOf(member.generatePlaybook({ params }))).toMatchObject({ status: 403 });
    const other = service.client(
      playbooksApi,
      service.tokens.sign({ org: '01900000-0000-7000-8000-00000000000b' }),
    );
    expect(await problemOf(other.generatePlaybook({ params }))).toMatchObject({ status: 404 });
    expect((await other.listPlaybooks()).body.total).toBe(0);
  });

  test('counts each session once on the dashboard, also after a rebuild', async () => {
    const dashboard = service.client(dashboardApi);
    const { total } = (await playbooks.listPlaybooks()).body;
    const count = async () => (await dashboard.getDashboard()).body.counts.playbooks;
    await eventually(async () => expect(await count()).toBe(total));
    await dashboard.rebuildDashboard(undefined, { headers: { prefer: 'wait=20' } });
    expect(await count()).toBe(total);
  });
});

describe('forms', () => {
  const formats = [
    ['json', 'application/json; charset=utf-8'],
    ['cacao', 'application/cacao+json'],
    ['markdown', 'text/markdown; charset=utf-8'],
    ['html', 'text/html; charset=utf-8'],
    ['pdf', 'application/pdf'],
  ] as const;
  let address: string;

  beforeAll(async () => {
    const params = { session_id: await played() };
    await playbooks.generatePlaybook({ params });
    address = `${service.url}/api/playbooks/${params.session_id}`;
  });

  test.each(formats)('%s by name and by type', async (format, type) => {
    const named = await service.fetch(`${address}?format=${format}`);
    expect([named.status, named.headers.get('content-type')]).toEqual([200, type]);
    const accepted = await service.fetch(address, { headers: { accept: type.split(';')[0] ?? '' } });
    expect(accepted.headers.get('content-type')).toBe(type);
    expect(accepted.headers.get('vary')).toContain('Accept');
    expect(Buffer.from(await accepted.arrayBuffer())).toEqual(Buffer.from(await named.arrayBuffer()));
  });

  test('what is not offered is refused', async () => {
    expect((await service.fetch(address, { headers: { accept: 'image/png' } })).status).toBe(406);
    expect((await service.fetch(`${address}?format=docx`)).status).toBe(422);
  });

  test('the PDF is one, with pages', async () => {
    const pdf = Buffer.from(await (await service.fetch(`${address}?format=pdf`)).arrayBuffer()).toString(
      'latin1',
    );
    expect(pdf.startsWith('%PDF-')).toBe(true);
    expect(pdf.match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(1);
  });
});
