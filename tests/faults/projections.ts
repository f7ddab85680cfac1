import {
  coverageApi,
  createClient,
  dashboardApi,
  evaluationsApi,
  eventsApi,
  gapsApi,
  operationsApi,
  type SessionSummary,
} from '@muster/contracts';
import { all, type Row, reader, storedSessions } from './ledger.ts';
import { TECHNIQUE } from './mixed-load.ts';

/** What the owners store. */
export interface Sources {
  sessions: SessionSummary[];
  events: Row[];
  operations: Row[];
}

/** Reads what is stored, past every projection. */
export async function sources(url: string): Promise<Sources> {
  const events = createClient(eventsApi, reader(url));
  const operations = createClient(operationsApi, reader(url));
  return {
    sessions: await storedSessions(url),
    events: (await all((query) => events.listEvents({ query }))).map(({ id, external_id }) => ({
      id,
      key: external_id,
    })),
    operations: (await all((query) => operations.listOperations({ query }))).map(({ id, name }) => ({
      id,
      key: name,
    })),
  };
}

/** What projections must say about the sources. */
export function expected({ sessions, events, operations }: Sources) {
  const gap = gapOf(sessions);
  return {
    counts: {
      sessions: sessions.length,
      participants: sessions.length,
      events_open: events.length,
      operations: operations.length,
      open_gaps: gap && gap.closed_at === null ? 2 : 0,
    },
    gaps: gap ? ['communication', 'containment'].map((capability) => ({ capability, ...gap })) : [],
    coverage: { exercised: sessions.length, proved: operations.length, seen: events.length },
  };
}

/** What projections say. */
export async function projected(url: string): Promise<ReturnType<typeof expected>> {
  const of = reader(url);
  const { counts } = (await createClient(dashboardApi, of).getDashboard()).body;
  const { sessions, participants, events_open, operations, open_gaps } = counts;
  const tracked = await all((query) => createClient(gapsApi, of).listGaps({ query }));
  const { items } = (await createClient(coverageApi, of).getCoverage()).body;
  const known = items.find(({ technique }) => technique === TECHNIQUE);
  return {
    counts: { sessions, participants, events_open, operations, open_gaps },
    gaps: tracked
      .map(({ capability, opened_at, last_seen_at, closed_at, relapses, occurrences }) => ({
        capability,
        opened_at,
        last_seen_at,
        closed_at,
        relapses,
        occurrences,
      }))
      .sort((a, b) => a.capability.localeCompare(b.capability)),
    coverage: {
      exercised: known?.exercised?.count ?? 0,
      proved: known?.proved?.count ?? 0,
      seen: known?.seen?.count ?? 0,
    },
  };
}

/** Sessions without an evaluation among those for which one was taken in. */
export async function unevaluated(url: string, ids: readonly string[]): Promise<string[]> {
  const client = createClient(evaluationsApi, reader(url));
  const missing: string[] = [];
  for (const id of ids) await client.getEvaluation({ params: { id } }).catch(() => missing.push(id));
  return missing;
}

interface GapTimeline {
  opened_at: string;
  last_seen_at: string;
  closed_at: string | null;
  relapses: number;
  occurrences: number;
}

/** What the sessions add up to: each showed the whole gap, or closed it. */
function gapOf(sessions: readonly SessionSummary[]): GapTimeline | null {
  const inTime = sessions.toSorted((a, b) => String(a.ended_at).localeCompare(String(b.ended_at)));
  return inTime.reduce<GapTimeline | null>(after, null);
}

function after(gap: GapTimeline | null, { ended_at, scores }: SessionSummary): GapTimeline | null {
  const at = String(ended_at);
  const isOpen = gap !== null && gap.closed_at === null;
  if (scores?.overall === 100) return isOpen ? { ...gap, closed_at: at } : gap;
  return {
    opened_at: isOpen ? gap.opened_at : at,
    last_seen_at: at,
    closed_at: null,
    relapses: (gap?.relapses ?? 0) + (gap && !isOpen ? 1 : 0),
    occurrences: (gap?.occurrences ?? 0) + 1,
  };
}
