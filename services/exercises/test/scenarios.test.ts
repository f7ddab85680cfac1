import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Client, scenariosApi } from '@muster/contracts';
import { problemOf, startTestService, type TestService } from '@muster/testing';
import { stringify } from 'yaml';
import { exercises } from '../src/service.ts';
import { scenarioUpload } from './fixtures.ts';

let service: TestService;
let scenarios: Client<typeof scenariosApi>;

beforeAll(async () => {
  service = await startTestService(exercises);
  scenarios = service.client(scenariosApi);
});
afterAll(async () => service.stop());

describe('the library', () => {
  test('lists the built-in scenarios and returns one whole, with an entity tag', async () => {
    const { body } = await scenarios.listScenarios({ query: { source: 'builtin' } });
    expect(body.total).toBeGreaterThanOrEqual(5);
    expect(body.items[0]).toMatchObject({ source: 'builtin', injects: expect.any(Number) });
    const filename = body.items[0]?.filename ?? '';
    const whole = await scenarios.getScenario({ params: { filename } });
    expect(whole.body.injects.length).toBe(body.items[0]?.injects);
    const etag = whole.headers.get('etag') ?? '';
    const again = await scenarios.getScenario(
      { params: { filename } },
      { headers: { 'if-none-match': etag } },
    );
    expect(again.status).toBe(304);
    const listed = await scenarios.getListedScenario({ params: { filename } });
    expect(listed.body).toEqual(whole.body);
  });

  test('filters by category, technique, words, and pages with a signed cursor', async () => {
    const ransomware = await scenarios.listScenarios({ query: { category: 'ransomware' } });
    expect(ransomware.body.items.every((item) => item.category === 'ransomware')).toBe(true);
    expect(ransomware.body.total).toBeGreaterThan(0);
    const technique = await scenarios.listScenarios({ query: { technique: 'T1486' } });
    expect(technique.body.items.every((item) => item.techniques.includes('T1486'))).toBe(true);
    expect((await scenarios.listScenarios({ query: { q: 'HOSPITAL' } })).body.total).toBeGreaterThan(0);
    expect((await scenarios.listScenarios({ query: { q: '.*' } })).body.total).toBe(0);

    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await scenarios.listScenarios({ query: { limit: 2, cursor } });
      seen.push(...page.body.items.map((item) => item.filename));
      cursor = page.body.next_cursor ?? undefined;
    } while (cursor);
    const all = await scenarios.listScenarios({ query: { limit: 200 } });
    expect(seen).toEqual(all.body.items.map((item) => item.filename));
    expect(seen.length).toBe(all.body.total);
  });

  test('refuses a cursor that was edited or belongs to another list', async () => {
    const { body } = await scenarios.listScenarios({ query: { limit: 1 } });
    const cursor = body.next_cursor ?? '';
    for (const wrong of [`${cursor}x`, `x${cursor}`, cursor.slice(1), 'x', cursor.replace('.', '..')]) {
      const error = await problemOf(scenarios.listScenarios({ query: { limit: 1, cursor: wrong } }));
      expect(error.problem).toMatchObject({
        status: 422,
        errors: [{ path: '/cursor', code: 'invalid_cursor' }],
      });
    }
    const other = await problemOf(
      scenarios.listScenarios({ query: { limit: 1, cursor, source: 'builtin' } }),
    );
    expect(other.status).toBe(422);
  });
});

describe('uploading', () => {
  test('takes JSON, YAML and a form, and ignores what the server sets', async () => {
    const json = await scenarios.createScenario({ body: scenarioUpload({ filename: 'as-json.json' }) });
    expect(json.status).toBe(201);
    expect(json.headers.get('location')).toBe('/as-json.json');
    const back = await scenarios.getScenario({ params: { filename: 'as-json.json' } });
    expect(back.body).toEqual(json.body);

    const again = { ...json.body, filename: 'sent-back.json', source: 'builtin', created_by: 'nobody' };
    const sentBack = await scenarios.createScenario({ body: again });
    expect(sentBack.body).toMatchObject({ source: 'upload', content_hash: json.body.content_hash });
    expect(sentBack.body.created_by).not.toBe('nobody');

    const yaml = await scenarios.createScenario(undefined, {
      rawBody: stringify(scenarioUpload({ filename: 'as-yaml.json' })),
      headers: { 'content-type': 'application/yaml' },
    });
    expect(yaml.body.content_hash).toBe(json.body.content_hash);

    const form = new FormData();
    form.append(
      'file',
      new Blob([JSON.stringify(scenarioUpload({ filename: 'as-form.json' }))]),
      'scenario.json',
    );
    const formed = await scenarios.createScenario(undefined, { rawBody: form });
    expect(formed.body.content_hash).toBe(json.body.content_hash);
  });

  test('names a scenario after its title, and answers 409 when the name is taken', async () => {
    const first = await scenarios.createScenario({ body: scenarioUpload({ title: 'Énergie: Ausfall!' }) });
    expect(first.body.filename).toBe('energie-ausfall.json');
    expect(
      (await problemOf(scenarios.createScenario({ body: scenarioUpload({ title: 'Energie, Ausfall' }) })))
        .status,
    ).toBe(409);
    const builtIn = (await scenarios.listScenarios({ query: { source: 'builtin' } })).body.items[0]?.filename;
    expect(
      (await problemOf(scenarios.createScenario({ body: scenarioUpload({ filename: builtIn }) }))).status,
    ).toBe(409);
  });

  test('lists every broken reference at once, and stores nothing', async () => {
    const [first, second] = scenarioUpload().injects;
    const broken = scenarioUpload({
      filename: 'broken.json',
      injects: [
        { ...first, objective_ids: ['O9'], to: ['nobody'] },
        { ...second, id: 'I1' },
      ] as never,
    });
    const { problem } = await problemOf(scenarios.createScenario({ body: broken }));
    expect(problem.status).toBe(422);
    expect(problem.errors?.map((error) => error.path)).toEqual(
      expect.arrayContaining(['/injects/0/objective_ids/0', '/injects/0/to/0', '/injects/1/id']),
    );
    expect((await problemOf(scenarios.getScenario({ params: { filename: 'broken.json' } }))).status).toBe(
      404,
    );
  });

  test('one of two uploads at once wins, the other is told', async () => {
    const calls = await Promise.allSettled(
      [1, 2, 3, 4].map(() => scenarios.createScenario({ body: scenarioUpload({ filename: 'raced.json' }) })),
    );
    const statuses = calls.map((call) =>
      call.status === 'fulfilled' ? call.value.status : call.reason.status,
    );
    expect(statuses.sort()).toEqual([201, 409, 409, 409]);
  });

  test('the same key and body replays the stored answer; another body is refused', async () => {
    const body = scenarioUpload({ filename: 'keyed.json' });
    const headers = { 'idempotency-key': 'upload-1' };
    const first = await scenarios.createScenario({ body }, { headers });
    const second = await scenarios.createScenario({ body }, { headers });
    expect(second.status).toBe(201);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
    const other = await problemOf(
      scenarios.createScenario({ body: { ...body, title: 'Other' } }, { headers }),
    );
    expect(other.problem.type).toBe('urn:muster:problem:idempotency-key-reused');
  });
});

describe('deleting', () => {
  test('removes an upload, refuses a built-in one, and 404 for what is not there', async () => {
    await scenarios.createScenario({ body: scenarioUpload({ filename: 'to-go.json' }) });
    const params = { filename: 'to-go.json' };
    const stale = await problemOf(scenarios.deleteScenario({ params }, { headers: { 'if-match': '"old"' } }));
    expect(stale.status).toBe(412);
    expect((await scenarios.deleteScenario({ params })).status).toBe(204);
    expect((await problemOf(scenarios.getScenario({ params }))).status).toBe(404);
    expect((await problemOf(scenarios.deleteScenario({ params }))).status).toBe(404);
    const builtIn =
      (await scenarios.listScenarios({ query: { source: 'builtin' } })).body.items[0]?.filename ?? '';
    const refused = await problemOf(scenarios.deleteScenario({ params: { filename: builtIn } }));
    expect(refused.problem).toMatchObject({ status: 403, type: 'urn:muster:problem:built-in' });
  });

  test("another organization's scenario is not there", async () => {
    const body = scenarioUpload({ filename: 'ours.json' });
    await scenarios.createScenario({ body });
    const other = service.client(
      scenariosApi,
      service.tokens.sign({ org: '01900000-0000-7000-8000-00000000000b' }),
    );
    expect((await problemOf(other.getScenario({ params: { filename: 'ours.json' } }))).status).toBe(404);
    expect((await problemOf(other.deleteScenario({ params: { filename: 'ours.json' } }))).status).toBe(404);
    expect((await other.listScenarios({ query: { source: 'upload' } })).body.total).toBe(0);
    expect((await other.createScenario({ body })).status).toBe(201);
  });
});
