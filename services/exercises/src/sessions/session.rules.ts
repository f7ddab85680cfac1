import type {
  InjectResponse,
  Observation,
  Participant,
  ProblemDetail,
  ScenarioContent,
  SessionInput,
} from '@muster/contracts';

const MINUTE_MS = 60_000;
const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2101, 0, 1);
const MAX_RESPONSES = 2000;
const MAX_WRITTEN_CHARACTERS = 4_000_000;

export interface TableRecord {
  participants: readonly Participant[];
  responses: readonly InjectResponse[];
  observations: readonly Observation[];
}

/** Every reference of a played session that its scenario does not have, and a table's record beyond reason. */
export function brokenReferences(scenario: ScenarioContent, played: Partial<TableRecord>): ProblemDetail[] {
  const roles = new Set(scenario.roles.map(({ id }) => id));
  const objectives = new Set(scenario.objectives.map(({ id }) => id));
  const injects = new Map(
    scenario.injects.map((inject) => [inject.id, new Set(inject.expected_actions.map(({ id }) => id))]),
  );
  const found: ProblemDetail[] = [];
  const miss = (path: string, code: string, message: string) =>
    found.push({ path, code, message, in: 'body' });

  for (const [at, { role }] of (played.participants ?? []).entries()) {
    if (role && !roles.has(role))
      miss(`/participants/${at}/role`, 'unknown_role', `the scenario has no role "${role}"`);
  }
  for (const [at, response] of (played.responses ?? []).entries()) {
    const actions = injects.get(response.inject_id);
    if (!actions)
      miss(
        `/responses/${at}/inject_id`,
        'unknown_inject',
        `the scenario has no inject "${response.inject_id}"`,
      );
    for (const [index, action] of response.actions.entries()) {
      if (!actions || actions.has(action)) continue;
      miss(
        `/responses/${at}/actions/${index}`,
        'unknown_action',
        `inject "${response.inject_id}" expects no action "${action}"`,
      );
    }
    const { role } = response;
    if (role && !roles.has(role))
      miss(`/responses/${at}/role`, 'unknown_role', `the scenario has no role "${role}"`);
  }
  for (const [at, { objective_id }] of (played.observations ?? []).entries()) {
    if (objectives.has(objective_id)) continue;
    miss(
      `/observations/${at}/objective_id`,
      'unknown_objective',
      `the scenario has no objective "${objective_id}"`,
    );
  }
  return [...found, ...beyondReason(played.responses ?? [])];
}

function beyondReason(responses: readonly InjectResponse[]): ProblemDetail[] {
  const written = responses.reduce((sum, { decision, notes }) => sum + decision.length + notes.length, 0);
  if (responses.length <= MAX_RESPONSES && written <= MAX_WRITTEN_CHARACTERS) return [];
  const message = `a session holds ${MAX_RESPONSES} responses and ${MAX_WRITTEN_CHARACTERS} characters of decisions at most`;
  return [{ path: '/responses', code: 'too_big', message, in: 'body' }];
}

export interface Times {
  started_at: Date;
  ended_at: Date | null;
}

/**
 * When a session began and ended. What is not given is derived: a completed session ends now and began its scenario's
 * duration (in minutes) before its end; one in progress begins now.
 */
export function timesOf(
  input: Pick<SessionInput, 'status' | 'started_at' | 'ended_at'>,
  durationMinutes: number,
  now: Date,
): Times {
  const given = { start: dateOf(input.started_at), end: dateOf(input.ended_at) };
  if (input.status === 'in_progress') return { started_at: given.start ?? now, ended_at: given.end };
  const ended_at = given.end ?? new Date(Math.max(now.getTime(), given.start?.getTime() ?? 0));
  return { started_at: given.start ?? new Date(ended_at.getTime() - durationMinutes * MINUTE_MS), ended_at };
}

const dateOf = (text: string | undefined) => (text === undefined ? null : new Date(text));

/** What is wrong with a session's times, if anything. */
export function brokenTimes(
  status: 'completed' | 'in_progress',
  { started_at, ended_at }: Times,
): ProblemDetail[] {
  const found: ProblemDetail[] = [];
  const wrong = (path: string, code: string, message: string) =>
    found.push({ path, code, message, in: 'body' });
  for (const [path, date] of [
    ['/started_at', started_at],
    ['/ended_at', ended_at],
  ] as const) {
    if (date && (date.getTime() < EARLIEST || date.getTime() >= LATEST))
      wrong(path, 'out_of_range', 'expected a year from 2000 to 2100');
  }
  if (ended_at && ended_at < started_at)
    wrong('/ended_at', 'before_start', 'the session ends before it starts');
  if (ended_at && status === 'in_progress')
    wrong('/ended_at', 'still_in_progress', 'a session in progress has no end yet');
  return found;
}
