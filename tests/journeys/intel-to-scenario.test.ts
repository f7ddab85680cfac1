import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient, draftsApi, intelItemsApi, scenariosApi, sessionsApi } from '@muster/contracts';
import { eventually, type Product, startProduct } from '@muster/testing';

// A report comes in, and the table plays what it tells: two services, which know each other by events alone.

const REPORT = `Akira ransomware at two hospitals

The Akira ransomware group exploited CVE-2024-40766 in VPN gateways for initial access (T1190).
They used valid accounts (T1078), deleted shadow copies (T1490) and encrypted the file servers (T1486).`;

let product: Product;
beforeAll(async () => {
  product = await startProduct('intel journey');
}, 120_000);
afterAll(async () => product?.stop());

const client = <A extends Parameters<typeof createClient>[0]>(api: A) =>
  createClient(api, { baseUrl: product.url });

test('from a pasted report to a session that was played', async () => {
  const ingested = await client(intelItemsApi).ingestIntel({
    body: { document: REPORT, media_type: 'text/plain' },
  });
  if (!('techniques' in ingested.body)) throw new Error('the report was not read in time');
  const item = ingested.body;
  expect(item.techniques.map(({ id }) => id)).toEqual(expect.arrayContaining(['T1190', 'T1486', 'T1490']));

  const drafted = await client(draftsApi).generateScenario({
    params: { id: item.id },
    body: { difficulty: 'advanced', duration_minutes: 90 },
  });
  expect(drafted.status).toBe(201);
  if (!('scenario' in drafted.body)) throw new Error('the scenario was not written in time');
  const { id, scenario } = drafted.body;

  const listed = await eventually(async () => {
    const { body } = await client(scenariosApi).listScenarios({ query: { source: 'intel' } });
    expect(body.items.map(({ filename }) => filename)).toEqual([scenario.filename]);
    return body.items[0];
  });
  expect(listed).toMatchObject({ title: scenario.title, difficulty: 'advanced', duration_minutes: 90 });
  const params = { filename: scenario.filename };
  const { body: stored } = await client(scenariosApi).getScenario({ params });
  expect(stored).toMatchObject(scenario);
  await eventually(async () =>
    expect((await client(draftsApi).getDraft({ params: { id } })).body.status).toBe('stored'),
  );

  const responses = stored.injects.map((inject) => ({
    inject_id: inject.id,
    at_minutes: inject.offset_minutes,
    actions: inject.expected_actions.map((action) => action.id),
  }));
  const played = await client(sessionsApi).createSession({
    body: { scenario: scenario.filename, responses },
  });
  expect(played.status).toBe(201);
  const { body: scores } = await client(sessionsApi).getScores({ params: { id: played.body.id } });
  expect(scores).toMatchObject({ overall: 100, rating: 'P' });
});
