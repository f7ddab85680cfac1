import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  auditApi,
  createClient,
  dashboardApi,
  draftsApi,
  type Endpoint,
  eventsApi,
  feedsApi,
  gapsApi,
  href,
  identityApi,
  intelItemsApi,
  membersApi,
  operationsApi,
  parkedApi,
  scenariosApi,
  sessionCompleted,
  sessionsApi,
  settingsApi,
} from '@muster/contracts';
import {
  eventually,
  type Product,
  publishUnchecked,
  startProduct,
  type TokenIssuer,
  tokenIssuer,
} from '@muster/testing';
import { v7 } from 'uuid';
import { call, ENDPOINTS } from './calls.ts';
import { newOrganization, type Organization } from './people.ts';

let issuer: TokenIssuer;
let product: Product;
let [ours, theirs]: [Organization?, Organization?] = [];
/** Ids of what the first organization has, by the path that names it. */
let made: Record<string, Record<string, string>>;

beforeAll(async () => {
  issuer = await tokenIssuer();
  product = await startProduct('organizations', { JWKS_URL: issuer.jwksUrl });
  ours = await newOrganization(product, issuer);
  theirs = await newOrganization(product, issuer);
  made = await makeOneOfEach(ours.token('owner'));
}, 120_000);
afterAll(async () => {
  await product?.stop();
  await issuer?.stop();
});

async function makeOneOfEach(token: string): Promise<typeof made> {
  const options = { baseUrl: product.url, token };
  const example = <T>(declared: { meta(): { example?: unknown } | undefined }) =>
    declared.meta()?.example as T;
  const scenarios = createClient(scenariosApi, options);
  const upload = example<{ filename: string }>(scenariosApi.endpoints.createScenario.body);
  const { filename } = (await scenarios.createScenario({ body: upload as never })).body;
  const played = {
    ...example<object>(sessionsApi.endpoints.createSession.body),
    scenario: filename,
    responses: [],
  };
  const session = (await createClient(sessionsApi, options).createSession({ body: played as never })).body.id;
  const { body: apiToken } = await createClient(identityApi, options).createToken({ body: { name: 'Ours' } });
  const { body: listed } = await createClient(membersApi, options).listMembers();
  const { headers } = await createClient(dashboardApi, options).rebuildDashboard(undefined, {
    headers: { prefer: 'respond-async' },
  });
  const settingsTest = await createClient(settingsApi, options).testSettings(
    { body: { target: 'ai' } },
    { headers: { prefer: 'wait=20' } },
  );
  const gap = await eventually(async () => {
    const { body } = await createClient(gapsApi, options).listGaps();
    expect(body.items).not.toHaveLength(0);
    return body.items[0]?.id ?? '';
  });
  const entry = await eventually(async () => {
    const { body } = await createClient(auditApi, options).listAudit();
    expect(body.items).not.toHaveLength(0);
    return body.items[0]?.id ?? '';
  });
  const { body: item } = await createClient(intelItemsApi, options).ingestIntel(
    { body: { document: 'Akira encrypted the file servers (T1486).', media_type: 'text/plain' } },
    { headers: { prefer: 'wait=20' } },
  );
  const { body: draft } = await createClient(draftsApi, options).generateScenario(
    { params: { id: item.id }, body: {} },
    { headers: { prefer: 'wait=20' } },
  );
  // Disabled, so that nobody is asked for it.
  const { body: feed } = await createClient(feedsApi, options).createFeed({
    body: { url: 'https://feeds.example.org/all.xml', enabled: false },
  });
  const { body: event } = await createClient(eventsApi, options).ingestEvents({
    body: example(eventsApi.endpoints.ingestEvents.body),
  });
  const { body: operation } = await createClient(operationsApi, options).createOperation({
    body: example(operationsApi.endpoints.createOperation.body),
  });
  const parked = v7();
  await publishUnchecked(product.engines.amqpUrl, sessionCompleted, {
    id: parked,
    org: ours?.id ?? '',
    subject: session,
    seq: 1,
    data: 'nothing that was declared',
  });
  await eventually(async () => {
    await createClient(parkedApi('exercises'), options).getParked({
      params: { service: 'exercises', id: parked },
    });
  });
  const job = headers.get('location')?.split('/').at(-1) ?? '';
  return {
    '/api/jobs/': { id: job },
    '/api/parked/': { id: parked },
    '/api/sessions/': { id: session },
    '/api/playbooks/': { session_id: session },
    '/api/scenarios/': { filename },
    '/api/list-scenarios/': { filename },
    '/{filename}': { filename },
    '/api/threat-intel-drafts/': { id: draft.id },
    '/api/threat-intel-feeds/': { id: feed.id },
    '/api/threat-intel/': { id: item.id },
    '/api/events/': { id: 'id' in event ? String(event.id) : '' },
    '/api/operations/': { id: operation.id },
    '/api/gaps/': { id: gap },
    '/api/members/': { id: listed.items.find(({ role }) => role === 'viewer')?.id ?? '' },
    '/api/audit/': { id: entry },
    '/api/settings/test/': { id: settingsTest.body.id },
    '/auth/tokens/': { id: apiToken.id },
  };
}

/** Whether an endpoint's path names something of an organization's; the services are everybody's. */
const names = ({ params }: Endpoint) => Object.keys(params?.shape ?? {}).some((name) => name !== 'service');
const named = ENDPOINTS.filter(({ endpoint }) => names(endpoint) && endpoint.role !== 'public');
const idsFor = (path: string) => made[Object.keys(made).find((start) => path.startsWith(start)) ?? ''];

// Before the others ask for what is ours by its id: their own audit log tells them what they asked for.
const lists = ENDPOINTS.filter(
  ({ endpoint }) => endpoint.method === 'GET' && !names(endpoint) && endpoint.role !== 'public',
);
test.each(lists)('$name shows others nothing of ours', async ({ endpoint }) => {
  const answer = await fetch(product.url + href(endpoint.path, { service: 'exercises' }), {
    headers: { authorization: `Bearer ${theirs?.token('owner')}` },
  });
  const text = await answer.text();
  expect(answer.status).toBeLessThan(500);
  for (const ids of Object.values(made)) for (const id of Object.values(ids)) expect(text).not.toContain(id);
});

test.each(named)('$name: what is ours is not there for others', async ({ endpoint }) => {
  const ids = idsFor(endpoint.path);
  if (!ids || Object.values(ids).includes('')) throw new Error(`make something for ${endpoint.path} first`);
  const { status } = await call(product.url, endpoint, theirs?.token('owner') ?? '', ids);
  expect(status).toBe(404);
});

test.each(named.filter(({ endpoint }) => endpoint.method === 'GET'))(
  '$name: and it is there for us, so the 404 was about us',
  async ({ endpoint }) => {
    const { status } = await call(product.url, endpoint, ours?.token('owner') ?? '', idsFor(endpoint.path));
    // A playbook, an evaluation, a triage: not made yet, which also is a 404 of its own.
    const later = /\/playbooks\/|\/evaluation\/|\/triage\//.test(endpoint.path);
    expect(later ? [200, 404] : [200, 409]).toContain(status);
  },
);
