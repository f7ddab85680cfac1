import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  dashboardApi,
  type EventDeclaration,
  eventsCounted,
  intelItemIngested,
  intelItemRemoved,
  memberChanged,
  operationCompleted,
  scenariosApi,
  sessionCompleted,
  sessionsApi,
} from '@muster/contracts';
import { DEMO_ORGANIZATION } from '@muster/service-kit';
import { eventually, publishEvent, startTestService, type TestService } from '@muster/testing';
import { v7 } from 'uuid';
import { applySessions } from '../src/dashboard/dashboard.service.ts';
import { exercises } from '../src/service.ts';
import { sessions as stored } from '../src/sessions/session.model.ts';
import { scenarioUpload, sessionInput } from './fixtures.ts';

const SCENARIO = 'lost-laptop.json';
let service: TestService;

beforeAll(async () => {
  service = await startTestService(exercises);
  await service.client(scenariosApi).createScenario({ body: scenarioUpload({ filename: SCENARIO }) });
});
afterAll(async () => service.stop());

const recent = (daysAgo: number) => ({
  started_at: new Date(Date.now() - daysAgo * 86_400_000 - 3_600_000).toISOString(),
  ended_at: new Date(Date.now() - daysAgo * 86_400_000).toISOString(),
});
const save = (changes: Parameters<typeof sessionInput>[1]) =>
  service.client(sessionsApi).createSession({ body: sessionInput(SCENARIO, changes) });
const read = async (days = 90) => (await service.client(dashboardApi).getDashboard({ query: { days } })).body;

test('shows a saved session within a second, by way of the broker', async () => {
  const before = await read();
  const { body } = await save(recent(1));
  const dashboard = await eventually(async () => {
    const now = await read();
    expect(now.counts.sessions).toBe(before.counts.sessions + 1);
    return now;
  }, 1_000);
  expect(dashboard.recent_sessions[0]).toMatchObject({ id: body.id, overall: 100, rating: 'P' });
  expect(dashboard.scores).toMatchObject({ overall: 100, rating: 'P', maturity_level: 5 });
  expect(dashboard.counts).toMatchObject({ participants: 1, open_gaps: 0 });
  expect(dashboard.trends.reduce((sum, period) => sum + period.sessions, 0)).toBe(1);
});

test('means over the window, against the window before, with the open gaps', async () => {
  await save({ ...recent(2), responses: [], participants: [{ name: 'Second person' }] });
  await save({ ...recent(40), responses: [] });
  // What the older sessions opened, the latest has proved closed.
  await eventually(async () =>
    expect((await read()).counts).toMatchObject({ sessions: 3, participants: 2, open_gaps: 0 }),
  );
  const month = await read(30);
  expect(month.scores).toMatchObject({ overall: 50, change: 50 });

  await save({ ...recent(0), responses: [] });
  await eventually(async () => {
    const { counts, top_gaps } = await read();
    expect(counts.open_gaps).toBe(2);
    expect(top_gaps[0]).toMatchObject({ severity: 'critical', action_id: 'A1', scenario: SCENARIO });
  });
});

test('repeated and older events change nothing, whatever their order', async () => {
  const org = v7();
  const ctx = service.forOrganization(org);
  const { body } = await save(recent(3));
  const example = { ...sessionCompleted.example, ...body, session_id: v7(), ...recent(3) };
  const event = (seq: number, overall: number) => ({
    ...({ specversion: '1.0', id: v7(), source: '/test', subject: example.session_id } as const),
    type: sessionCompleted.type,
    time: new Date().toISOString(),
    datacontenttype: 'application/json' as const,
    orgid: org,
    seq,
    data: sessionCompleted.data.parse({
      ...example,
      scores: { ...sessionCompleted.example.scores, overall },
    }),
  });
  for (const next of [event(2, 70), event(1, 10), event(3, 90), event(3, 90), event(2, 70)]) {
    await ctx.inTransaction((inside) => applySessions(inside, [next]));
  }
  const token = service.tokens.sign({ org });
  const { body: dashboard } = await service.client(dashboardApi, token).getDashboard();
  expect(dashboard.counts.sessions).toBe(1);
  expect(dashboard.scores.overall).toBe(90);
});

test('counts members by the events of identity', async () => {
  const org = v7();
  const member = {
    member_id: v7(),
    name: 'Head of IT',
    email: 'head.of.it@example.org',
    role: 'admin',
  } as const;
  const tell = (seq: number, status: 'active' | 'removed') =>
    publishEvent(service.env.AMQP_URL ?? '', memberChanged, {
      org,
      subject: member.member_id,
      seq,
      data: { ...member, status },
    });
  const client = service.client(dashboardApi, service.tokens.sign({ org }));
  const members = async () => (await client.getDashboard()).body.counts.members;
  await tell(1, 'active');
  await eventually(async () => expect(await members()).toBe(1));
  await tell(2, 'removed');
  await eventually(async () => expect(await members()).toBe(0));
});

test('is rebuilt from the stored state to what it was', async () => {
  await eventually(async () => {
    const ctx = service.forOrganization(DEMO_ORGANIZATION.id);
    expect((await read()).counts.sessions).toBe(await stored(ctx).count({}));
  });
  const { as_of: _before, ...before } = await read();
  const rebuilt = await service
    .client(dashboardApi)
    .rebuildDashboard(undefined, { headers: { prefer: 'wait=30' } });
  expect(rebuilt.status).toBe(200);
  await eventually(async () => {
    const { as_of: _after, ...after } = await read();
    expect(after).toEqual(before);
  });
});

test('counts what other services tell of, each thing once, and lets go of what was removed', async () => {
  const org = v7();
  const owner = service.client(dashboardApi, service.tokens.sign({ org }));
  const tell = (declaration: EventDeclaration, subject: string, seq: number) =>
    publishEvent(service.env.AMQP_URL ?? '', declaration, { org, subject, seq, data: declaration.example });
  const [item, other] = [v7(), v7()];
  await tell(intelItemIngested, item, 1);
  await tell(intelItemIngested, item, 2);
  await tell(intelItemIngested, other, 1);
  await tell(operationCompleted, v7(), 3);
  await eventually(async () =>
    expect((await owner.getDashboard()).body.counts).toMatchObject({ intel_items: 2, operations: 1 }),
  );
  const open = (seq: number, count: number) =>
    publishEvent(service.env.AMQP_URL ?? '', eventsCounted, {
      org,
      subject: org,
      seq,
      data: { ...eventsCounted.example, open: count },
    });
  await open(2, 5);
  await open(1, 90);
  await tell(intelItemRemoved, other, 2);
  await eventually(async () =>
    expect((await owner.getDashboard()).body.counts).toMatchObject({ intel_items: 1, events_open: 5 }),
  );
});
