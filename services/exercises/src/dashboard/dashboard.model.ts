import type { Capability, Dashboard } from '@muster/contracts';
import { collection, Mixed, repository, type Stored } from '@muster/service-kit';

/**
 * Which epoch of the projection is read and which is written. They differ only while a rebuild is under way, so that
 * nobody sees half a dashboard. Rows of all collections below carry their epoch.
 */
export interface ProjectionState extends Stored {
  reading: number;
  writing: number;
}

/** The epoch of what only other services could tell again: a rebuild leaves it as it is. */
export const ELSEWHERE = 0;

interface Row extends Stored {
  epoch: number;
}

export interface Totals extends Row {
  sessions: number;
  participants: number;
  scenarios: number;
  members: number;
  /** Sessions that have a playbook; missing in rows from before it was counted. */
  playbooks?: number;
  /** In the row of {@link ELSEWHERE} only. */
  intel_items?: number;
  operations?: number;
  events_open?: number;
  /** The latest completed sessions, the latest first, as the dashboard shows them. */
  recent: Dashboard['recent_sessions'];
  as_of: Date;
}

/** One session, as far as the dashboard knows it: guards against older and repeated events. */
export interface SessionRow extends Row {
  seq: number;
  ended_at: Date | null;
  overall: number | null;
  capabilities: { capability: Capability; score: number }[];
}

/** What was scored on one day (UTC). */
export interface DayRow extends Row {
  day: Date;
  sessions: number;
  overall: number;
  capabilities: Partial<Record<Capability, { sum: number; sessions: number }>>;
}

/** A scenario, member or session's playbook that exists or existed: guards its count against older and repeated events. */
export interface PresenceRow extends Row {
  seq: number;
  present: boolean;
}

const required = <T>(type: T) => ({ type, required: true });
const row = { epoch: required(Number) };

const states = collection<ProjectionState>({
  name: 'dashboard_states',
  fields: { reading: required(Number), writing: required(Number) },
  indexes: [],
});
const totals = collection<Totals>({
  name: 'dashboard_totals',
  fields: {
    ...row,
    sessions: required(Number),
    participants: required(Number),
    scenarios: required(Number),
    members: required(Number),
    playbooks: Number,
    intel_items: Number,
    operations: Number,
    events_open: Number,
    recent: [Mixed],
    as_of: required(Date),
  },
  indexes: [[{ org_id: 1, epoch: 1 }]],
});
const sessionRows = collection<SessionRow>({
  name: 'dashboard_sessions',
  fields: {
    ...row,
    seq: required(Number),
    ended_at: { type: Date, default: null },
    overall: { type: Number, default: null },
    capabilities: [Mixed],
  },
  indexes: [[{ org_id: 1, epoch: 1 }]],
});
const dayRows = collection<DayRow>({
  name: 'dashboard_days',
  fields: {
    ...row,
    day: required(Date),
    sessions: required(Number),
    overall: required(Number),
    capabilities: required(Mixed),
  },
  indexes: [[{ org_id: 1, epoch: 1, day: 1 }]],
});
const presenceFields = { ...row, seq: required(Number), present: required(Boolean) };
const scenarioRows = collection<PresenceRow>({
  name: 'dashboard_scenarios',
  fields: presenceFields,
  indexes: [[{ org_id: 1, epoch: 1 }]],
});
const memberRows = collection<PresenceRow>({
  name: 'dashboard_members',
  fields: presenceFields,
  indexes: [[{ org_id: 1, epoch: 1 }]],
});
const elsewhereRows = collection<PresenceRow>({
  name: 'dashboard_elsewhere',
  fields: presenceFields,
  indexes: [[{ org_id: 1, epoch: 1 }]],
});
const playbookRows = collection<PresenceRow>({
  name: 'dashboard_playbooks',
  fields: presenceFields,
  indexes: [[{ org_id: 1, epoch: 1 }]],
});
const participantRows = collection<Row>({
  name: 'dashboard_participants',
  fields: row,
  indexes: [[{ org_id: 1, epoch: 1 }]],
});

export const dashboardCollections = [
  states,
  totals,
  sessionRows,
  dayRows,
  scenarioRows,
  memberRows,
  playbookRows,
  elsewhereRows,
  participantRows,
] as const;

export const projectionStates = repository(states);
export const dashboardTotals = repository(totals);
export const dashboardSessions = repository(sessionRows);
export const dashboardDays = repository(dayRows);
export const dashboardScenarios = repository(scenarioRows);
export const dashboardMembers = repository(memberRows);
export const dashboardPlaybooks = repository(playbookRows);
export const dashboardElsewhere = repository(elsewhereRows);
export const dashboardParticipants = repository(participantRows);
