import {
  type Client,
  createClient,
  evaluationsApi,
  eventsApi,
  operationsApi,
  scenariosApi,
} from '@muster/contracts';
import { type Entry, type Load, load, reader, sessionSaving } from './ledger.ts';

export const TECHNIQUE = 'T1486';
export const BATCH = 20;
/** The id of an evaluation for which there was no session yet. */
export const NOTHING = 'nothing';
const DAY_MS = 86_400_000;
const EXECUTED_AT = new Date(Date.now() - DAY_MS).toISOString();

type Scenario = NonNullable<Parameters<Client<typeof scenariosApi>['createScenario']>[0]>['body'];

/** Two capabilities, each tried by one action: what a session shows of a gap is all or nothing. */
const SCENARIO: Scenario = {
  title: 'Two switches',
  summary: 'As little as can show a gap.',
  category: 'ransomware',
  difficulty: 'introductory',
  duration_minutes: 60,
  audience: ['technical'],
  industries: ['retail'],
  tags: [],
  threat: { actor: 'Nobody', techniques: [TECHNIQUE] },
  roles: [{ id: 'lead', name: 'Incident lead', responsibilities: 'Leads.' }],
  objectives: [
    { id: 'O1', title: 'Contain it', capability: 'containment', controls: [] },
    { id: 'O2', title: 'Tell people', capability: 'communication', controls: [] },
  ],
  injects: ['1', '2'].map((n) => ({
    id: `I${n}`,
    offset_minutes: 0,
    title: `Inject ${n}`,
    description: 'It happens.',
    from: 'Nobody',
    to: ['lead'],
    channel: 'phone',
    objective_ids: [`O${n}`],
    techniques: [TECHNIQUE],
    expected_actions: [
      { id: `A${n}`, text: `Throw switch ${n}`, weight: 1, target_minutes: 30, keywords: ['switch'] },
    ],
  })),
} as Scenario;

export interface MixedLoad {
  sessions: Load;
  batches: Load;
  operations: Load;
  evaluations: Load;
}

/** Sessions that show gaps and sessions that close them, in no order of time; batches of events; operations; evaluations. */
export async function mixedLoad(url: string, stop: AbortSignal, random: () => number): Promise<MixedLoad> {
  const of = { baseUrl: url };
  const scenario = (await createClient(scenariosApi, reader(url)).createScenario({ body: SCENARIO })).body
    .filename;
  const sessions = load(
    sessionSaving(
      url,
      remembered(() => playedSession(scenario, random)),
    ),
    {
      clients: 2,
      pauseMs: 50,
      stop,
    },
  );
  const events = createClient(eventsApi, of);
  const operations = createClient(operationsApi, of);
  const evaluations = createClient(evaluationsApi, of);
  const unevaluated = evaluable(sessions.entries);
  return {
    sessions,
    batches: load(
      async (key, call) => {
        const { body } = await events.ingestEvents({ body: batch(key) }, call);
        if (!('ids' in body) || body.ids.length !== BATCH) throw new Error(`taken: ${JSON.stringify(body)}`);
        return body.ids.join(' ');
      },
      { clients: 1, pauseMs: 100, stop },
    ),
    operations: load(
      async (key, call) => (await operations.createOperation({ body: operation(key) }, call)).body.id,
      { clients: 1, pauseMs: 100, stop },
    ),
    evaluations: load(
      async (key, call) => {
        const id = await unevaluated(key);
        if (id !== null) await evaluations.evaluateSession({ params: { id }, body: {} }, call);
        return id ?? NOTHING;
      },
      { clients: 1, pauseMs: 300, stop },
    ),
  };
}

/** Half of them do all that is expected, half nothing; they ended at some time in the last weeks. */
function playedSession(scenario: string, random: () => number) {
  const ended = Date.now() - Math.floor(random() * 60 * DAY_MS);
  const responses = ['1', '2'].map((n) => ({ inject_id: `I${n}`, at_minutes: 5, actions: [`A${n}`] }));
  return {
    scenario,
    started_at: new Date(ended - DAY_MS / 24).toISOString(),
    ended_at: new Date(ended).toISOString(),
    responses: random() < 0.5 ? responses : [],
  };
}

/** A repeat says what its first try said. */
function remembered<T>(make: () => T): (key: string) => T {
  const made = new Map<string, T>();
  return (key) => {
    const known = made.get(key) ?? make();
    made.set(key, known);
    return known;
  };
}

/** Gives each key a session that was saved and that no other has; null while there is none. */
function evaluable(saved: readonly Entry[]): (key: string) => Promise<string | null> {
  let next = 0;
  return remembered(async () => {
    while (next < saved.length) {
      const id = saved[next++]?.id;
      if (id) return id;
    }
    return null;
  });
}

/** The keys of a batch's events. */
export const keysOf = (key: string) => Array.from({ length: BATCH }, (_, index) => `${key}-${index}`);

function batch(key: string) {
  return keysOf(key).map((external_id) => ({
    external_id,
    title: `Event ${external_id}`,
    source: 'faults',
    techniques: [TECHNIQUE],
  }));
}

function operation(name: string) {
  const at = EXECUTED_AT;
  return {
    name,
    status: 'completed' as const,
    started_at: at,
    ended_at: at,
    techniques: [{ technique: TECHNIQUE, red: { executed_at: at }, blue: { prevented: true } }],
  };
}
