import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient, dashboardApi, identityApi, scenariosApi, sessionsApi } from '@muster/contracts';
import { eventually, type Product, startProduct } from '@muster/testing';

// The product's main job as a new user does it: every call goes through the gateway, every part is its own process.

let product: Product;
beforeAll(async () => {
  product = await startProduct('journey');
}, 120_000);
afterAll(async () => product?.stop());

const client = <A extends Parameters<typeof createClient>[0]>(api: A, token?: string) =>
  createClient(api, { baseUrl: product.url, token });

test('from the library to the scores and the dashboard', async () => {
  const library = await client(scenariosApi).listScenarios();
  expect(library.body.total).toBeGreaterThanOrEqual(5);
  const { body: scenario } = await client(scenariosApi).getScenario({
    params: { filename: 'ransomware-hospital.json' },
  });

  const responses = scenario.injects.map((inject) => ({
    inject_id: inject.id,
    at_minutes: inject.offset_minutes + 2,
    actions: inject.expected_actions.map((action) => action.id),
  }));
  const played = {
    scenario: scenario.filename,
    title: 'First exercise',
    responses,
    participants: [{ name: 'Head of IT' }],
  };
  const saved = await client(sessionsApi).createSession({ body: played });
  expect(saved.status).toBe(201);
  const { body: scores } = await client(sessionsApi).getScores({ params: { id: saved.body.id } });
  expect(scores).toMatchObject({ method: 'muster-1', overall: 100, rating: 'P', gaps: [] });

  const dashboard = await eventually(async () => {
    const { body } = await client(dashboardApi).getDashboard();
    expect(body.recent_sessions[0]?.id).toBe(saved.body.id);
    return body;
  }, 1_000);
  expect(dashboard.counts).toMatchObject({ sessions: 1, participants: 1 });
  await eventually(async () =>
    expect((await client(dashboardApi).getDashboard()).body.counts.members).toBe(1),
  );
});

test('an uploaded YAML scenario is played, deleted, and its session keeps its copy', async () => {
  const yaml = readFileSync(new URL('./tabletop.yaml', import.meta.url), 'utf8');
  const headers = { 'content-type': 'application/yaml' };
  const { body: scenario } = await client(scenariosApi).createScenario(undefined, { rawBody: yaml, headers });
  expect(scenario).toMatchObject({ filename: 'vpn-appliance-exploited.json', source: 'upload' });
  const responses = [
    {
      inject_id: 'I1',
      at_minutes: 40,
      decision: 'We took the appliance offline. We did not preserve the logs.',
    },
  ];
  const { body: session } = await client(sessionsApi).createSession({
    body: { scenario: scenario.filename, responses },
  });
  expect(
    (await client(scenariosApi).deleteScenario({ params: { filename: scenario.filename } })).status,
  ).toBe(204);
  const { body: scores } = await client(sessionsApi).getScores({ params: { id: session.id } });
  // Offline at 40 minutes against a target of 20: credit 0.5 of weight 3; the logs, weight 1, were not preserved.
  expect(scores.overall).toBe(37.5);
  expect(scores.gaps.map(({ action_id, reason }) => [action_id, reason])).toEqual([
    ['A2', 'missed'],
    ['A1', 'late'],
  ]);
  const { body: kept } = await client(sessionsApi).getSession({ params: { id: session.id } });
  expect(kept.scenario_snapshot.title).toBe(scenario.title);
});

test('a token is made, works on every service, and is worth nothing after it was revoked', async () => {
  const { body: me } = await client(identityApi).getMe();
  expect(me).toMatchObject({ role: 'owner', authenticated_by: 'development' });
  const { body: token } = await client(identityApi).createToken({
    body: { name: 'SIEM', scopes: ['sessions:read', 'tokens:write'] },
  });
  expect((await client(sessionsApi, token.token).listSessions()).status).toBe(200);
  await expect(client(scenariosApi, token.token).listScenarios()).rejects.toMatchObject({ status: 403 });
  expect((await client(identityApi, token.token).getMe()).body).toMatchObject({
    authenticated_by: 'api_token',
  });
  await client(identityApi).revokeToken({ params: { id: token.id } });
  await eventually(
    async () =>
      await expect(client(sessionsApi, token.token).listSessions()).rejects.toMatchObject({ status: 401 }),
    5_000,
  );
});

test('the documents describe what is there, and health names every service', async () => {
  const openapi = (await (await fetch(`${product.url}/openapi.json`)).json()) as {
    openapi: string;
    paths: object;
  };
  expect(openapi.openapi).toBe('3.1.0');
  expect(Object.keys(openapi.paths)).toEqual(
    expect.arrayContaining(['/{filename}', '/api/sessions/{id}/scores/']),
  );
  const asyncapi = (await (await fetch(`${product.url}/asyncapi.json`)).json()) as { asyncapi: string };
  expect(asyncapi.asyncapi).toBe('3.0.0');
  const health = (await (await fetch(`${product.url}/health`)).json()) as {
    status: string;
    services: object;
  };
  expect(health).toMatchObject({
    status: 'ok',
    services: { exercises: { status: 'ok' }, identity: { status: 'ok' } },
  });
});
