import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EventSummary, SecurityEventInput } from '@muster/contracts';
import { startTestService, type TestService } from '@muster/testing';
import type { EventQuery } from '../src/events/search.model.ts';
import { countFound, findAfter, searchFor } from '../src/events/search.service.ts';
import { securityOps } from '../src/service.ts';
import { asLines, deliverBytes, nativeEvent, type Organization, organizationOf } from './deliveries.ts';

const EVENTS = 25_000;
const BATCH = 5_000;
const DAY_MS = 86_400_000;
const BEGAN = Date.parse('2026-01-01T00:00:00Z');

let service: TestService;
let organization: Organization;

/** Half of them come from one source and half of another technique; both have only the very first in common. */
const numbered = (at: number): SecurityEventInput =>
  nativeEvent({
    external_id: `n-${at}`,
    title: `Event ${at % 7 === 0 ? 'seventh' : 'plain'}`,
    source: at % 2 === 0 ? 'even' : 'odd',
    techniques: [at % 2 === 1 || at === 0 ? 'T1003.001' : 'T1071'],
    severity: at % 5_000 === 4_999 ? 'critical' : 'low',
    occurred_at: new Date(BEGAN + (at * DAY_MS) / 100).toISOString(),
  });

beforeAll(async () => {
  service = await startTestService(securityOps);
  organization = organizationOf(service);
  for (let from = 0; from < EVENTS; from += BATCH)
    await deliverBytes(
      organization.events,
      asLines(Array.from({ length: BATCH }, (_, at) => numbered(from + at))),
    );
});
afterAll(async () => service.stop());

const list = async (query: Record<string, unknown>) => (await organization.events.listEvents({ query })).body;
const numberOf = ({ external_id }: EventSummary) => Number(external_id.slice(2));

/** All pages of a list, and how many there were. */
async function all(query: Record<string, unknown>) {
  const items: EventSummary[] = [];
  let pages = 0;
  for (let cursor: string | null = ''; cursor !== null; pages += 1) {
    const page = await list({ ...query, limit: 200, ...(cursor && { cursor }) });
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return { numbers: items.map(numberOf), pages };
}

describe('a list of many', () => {
  test('by what is rare and what is common reads the rare, whole and in order', async () => {
    const page = await list({ severity: 'critical', source: 'odd' });
    expect(page).toMatchObject({ total: 5, next_cursor: null });
    expect(page.items.map(numberOf)).toEqual([24_999, 19_999, 14_999, 9_999, 4_999]);
    expect((await list({ severity: 'critical', source: 'even' })).total).toBe(0);
  });

  test('by two common things gives every event that has both, once', async () => {
    const { numbers } = await all({ technique: 'T1003', q: 'seventh' });
    const expected = Array.from({ length: EVENTS }, (_, at) => at).filter(
      (at) => at % 7 === 0 && (at % 2 === 1 || at === 0),
    );
    expect(numbers).toEqual(expected.toReversed());
  });

  test('of a time is in the order in which it happened, bounds included', async () => {
    const from = new Date(BEGAN + 10 * DAY_MS).toISOString();
    const to = new Date(BEGAN + 12 * DAY_MS).toISOString();
    const { numbers } = await all({ from, to });
    expect(numbers).toEqual(Array.from({ length: 201 }, (_, at) => 1_200 - at));
    expect((await all({ from, to, source: 'odd' })).numbers.length).toBe(100);
    expect((await all({ to, source: 'odd' })).numbers.length).toBe(600);
    expect((await list({ from: to, to: from })).items).toEqual([]);
  });

  test('is counted as far as is said', async () => {
    expect((await list({ source: 'even' })).total).toBe(10_000);
    expect((await list({ severity: 'low' })).total).toBe(EVENTS - 5);
    expect((await list({ source: 'even', q: 'seventh' })).total).toBe(1_786);
  });
});

describe('what is common and has hardly anything in common', () => {
  const wanted: EventQuery = { source: 'even', technique: 'T1003' };
  const look = { through: 2_000, times: 3 };

  test('is looked through for a bounded time, and goes on where it was left', async () => {
    const ctx = service.forOrganization(organization.id);
    const search = await searchFor(ctx, wanted);
    if (!search) throw new Error('Expected a search');
    let after: string | undefined;
    const found: string[] = [];
    let parts = 0;
    for (let more = true; more; parts += 1) {
      const part = await findAfter(ctx, search, after, 50, look);
      found.push(...part.rows.map(({ external_id }) => external_id));
      after = part.next ?? undefined;
      more = part.next !== null;
    }
    expect(found).toEqual(['n-0']);
    expect(parts).toBe(Math.ceil(EVENTS / 2 / (look.through * look.times)));
    expect(await countFound(ctx, search, look)).toBe(0);
  });

  test('is one page where there are not so many', async () => {
    const page = await list({ ...wanted });
    expect(page).toMatchObject({ total: 1, next_cursor: null });
    expect(page.items.map(numberOf)).toEqual([0]);
  });
});
