import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, gapsApi, scenariosApi, sessionsApi, trendsApi } from '@muster/contracts';
import { eventually, problemOf, startTestService, type TestService } from '@muster/testing';
import { exercises } from '../src/service.ts';
import { scenarioUpload, sessionInput } from './fixtures.ts';

const SCENARIO = 'gap-laptop.json';
let service: TestService;
let gaps: Client<typeof gapsApi>;

beforeAll(async () => {
  service = await startTestService(exercises);
  gaps = service.client(gapsApi);
  await service.client(scenariosApi).createScenario({ body: scenarioUpload({ filename: SCENARIO }) });
});
afterAll(async () => service.stop());

/** Saves a session of one day in which all was done, or nothing. */
async function play(day: string, done: boolean): Promise<string> {
  const { body } = await service.client(sessionsApi).createSession({
    body: sessionInput(SCENARIO, {
      started_at: `${day}T09:00:00Z`,
      ended_at: `${day}T10:00:00Z`,
      ...(!done && { responses: [] }),
    }),
  });
  return body.id;
}
const containment = async () => {
  const { body } = await gaps.listGaps({ query: { capability: 'containment' } });
  expect(body.items).toHaveLength(1);
  const [item] = body.items;
  if (!item) throw new Error('there is no gap');
  return item;
};

test('a gap opens, is corrected, is proved closed by a later session, and its relapse is counted', async () => {
  expect((await gaps.listGaps()).body.items).toEqual([]);
  const first = await play('2026-01-10', false);
  await eventually(async () => expect(await containment()).toMatchObject({ occurrences: 1 }));
  const opened = await containment();
  expect(opened).toMatchObject({
    control: { framework: 'nist-csf-2.0', control: 'RS.MI-01' },
    severity: 'critical',
    rating: 'U',
    opened_at: '2026-01-10T10:00:00.000Z',
    retest_due_at: '2026-02-09T10:00:00.000Z',
    status: 'retest_due',
    closed_at: null,
  });
  expect(opened.findings[0]).toMatchObject({ session_id: first, action_id: 'A1', reason: 'missed' });

  const corrected = await gaps.updateGap({
    params: { id: opened.id },
    body: { owner_role: 'Head of IT', corrective_action: 'Rehearse the lock-out', corrected: true },
  });
  expect(corrected.body).toMatchObject({ status: 'retest_due', owner_role: 'Head of IT', closed_at: null });

  // A session of before proves nothing.
  await play('2026-01-01', true);
  const proof = await play('2026-02-20', true);
  await eventually(async () => expect((await containment()).status).toBe('closed'));
  expect(await containment()).toMatchObject({ closed_by_session_id: proof, days_to_proof: 41, relapses: 0 });
  expect((await gaps.summarizeGaps()).body).toMatchObject({ closed: 2, open: 0, mean_days_to_proof: 41 });

  await play('2026-03-20', false);
  await eventually(async () =>
    expect(await containment()).toMatchObject({ closed_at: null, relapses: 1, occurrences: 2 }),
  );
  expect((await gaps.summarizeGaps()).body.relapse_rate).toBe(1);
});

test('the filters find by status, severity and control', async () => {
  const found = async (query: NonNullable<Parameters<typeof gaps.listGaps>[0]>['query']) =>
    (await gaps.listGaps({ query })).body.items.map(({ capability }) => capability);
  expect(await found({ control: 'RS.MI-01' })).toEqual(['containment']);
  expect(await found({ severity: 'critical' })).toEqual(['containment']);
  expect(await found({ status: 'closed' })).toEqual([]);
});

test('a closed gap has nothing left to correct, an unknown one is not there, an older version is refused', async () => {
  const missing = gaps.getGap({ params: { id: 'nothing' } });
  expect(await problemOf(missing)).toMatchObject({ status: 404 });
  const { id } = await containment();
  const stale = gaps.updateGap(
    { params: { id }, body: { owner_role: 'x' } },
    { headers: { 'if-match': '"1"' } },
  );
  expect(await problemOf(stale)).toMatchObject({ status: 412 });
  expect(await problemOf(gaps.updateGap({ params: { id }, body: {} }))).toMatchObject({ status: 422 });
});

test('trends show the months played, the empty ones with nulls, and where it is going', async () => {
  const trends = service.client(trendsApi);
  const query = { from: '2026-01-01T00:00:00Z', to: '2026-04-15T00:00:00Z' };
  await eventually(async () => {
    const { body } = await trends.getTrends({ query });
    expect(body.points.map(({ sessions }) => sessions)).toEqual([2, 1, 1, 0]);
  });
  const { body } = await trends.getTrends({ query });
  expect(body.points.map(({ overall }) => overall)).toEqual([50, 100, 0, null]);
  expect(body).toMatchObject({
    slope_per_period: -25,
    first_at: '2026-01-01T00:00:00.000Z',
    last_at: '2026-03-20T00:00:00.000Z',
  });
  const backwards = trends.getTrends({ query: { from: query.to, to: query.from } });
  expect(await problemOf(backwards)).toMatchObject({ status: 422 });
});
