import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  type Client,
  conductApi,
  createClient,
  dashboardApi,
  evaluationsApi,
  gapsApi,
  playbooksApi,
  sessionsApi,
} from '@muster/contracts';
import { ask, eventually, type Product, startProduct } from '@muster/testing';

// A table that runs live while parts of the product die under it, to the report that a board reads.

let product: Product;
let sessions: Client<typeof sessionsApi>;
let table: Client<typeof conductApi>;
let id: string;

beforeAll(async () => {
  product = await startProduct('live-table');
  const options = { baseUrl: product.url };
  sessions = createClient(sessionsApi, options);
  table = createClient(conductApi, options);
  const { body } = await sessions.createSession({
    body: {
      scenario: 'third-party-outage.json',
      title: 'Live at the table',
      status: 'in_progress',
      participants: [{ name: 'Head of IT', role: null }],
    },
  });
  id = body.id;
}, 120_000);
afterAll(async () => product?.stop());

const decide = async (inject_id: string, decision: string) => {
  await table.commandConduct({ params: { id }, body: { command: 'release', inject_id } });
  await sessions.addResponses({ params: { id }, body: { inject_id, decision } });
};

test('no decision is lost when the service or the gateway is killed and comes back', async () => {
  await table.commandConduct({ params: { id }, body: { command: 'start', release: 'hand' } });
  await decide('I1', 'We open a bridge with the provider and isolate the interface.');
  await product.kill('exercises');
  await product.ready('exercises');
  await decide('I2', 'We switch to the manual procedure and inform the management.');
  const before = (await table.getConduct({ params: { id } })).body;
  await product.kill('gateway');
  await product.ready('gateway');
  const after = (await table.getConduct({ params: { id } })).body;
  expect(after.phase).toBe('running');
  expect(after.decisions).toEqual(before.decisions);
  expect(after.decisions.map(({ inject_id }) => inject_id)).toEqual(['I1', 'I2']);
  expect(after.injects.filter(({ status }) => status === 'released').map((inject) => inject.id)).toEqual([
    'I1',
    'I2',
  ]);
});

test('completed, it becomes scores, an evaluation, a playbook, gaps and a report', async () => {
  const options = { baseUrl: product.url };
  const done = await sessions.updateSession({ params: { id }, body: { status: 'completed' } });
  expect(done.body.scores?.overall).toBeGreaterThanOrEqual(0);
  const evaluation = await createClient(evaluationsApi, options).evaluateSession({
    params: { id },
    body: {},
  });
  expect(evaluation.body).toMatchObject({ session_id: id, engine: { kind: 'rules', degraded: false } });
  const playbook = await createClient(playbooksApi, options).generatePlaybook({ params: { session_id: id } });
  expect(playbook.body).toMatchObject({ session_id: id, version: 1 });
  await eventually(async () => {
    const { body } = await createClient(gapsApi, options).listGaps({ query: { status: 'open' } });
    expect(body.total).toBeGreaterThan(0);
    const dashboard = (await createClient(dashboardApi, options).getDashboard()).body;
    expect(dashboard.counts).toMatchObject({ sessions: 1, playbooks: 1, open_gaps: body.total });
    // The one that was killed held the relay's lease, which another takes over only after a while.
  }, 45_000);
});

test.each([
  ['html', 'text/html', '<!doctype html>'],
  ['pdf', 'application/pdf', '%PDF-'],
  ['json', 'application/json', '{'],
])('the report comes as %s', async (format, type, start) => {
  const answer = await ask(product.url, `/api/sessions/${id}/report/?format=${format}`);
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toContain(type);
  expect(answer.text.toLowerCase()).toMatch(new RegExp(`^\\s*${start.replace('{', '\\{')}`, 'i'));
  if (format === 'html') {
    const policy = String(answer.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('script-src');
  }
});
