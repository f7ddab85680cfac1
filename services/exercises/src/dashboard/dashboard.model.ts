import type { Capability, Dashboard, Gap } from '@muster/contracts';
import { collection, Mixed, repository, type Stored } from '@muster/service-kit';

/**
 * Which epoch of the projection is read and which is written. They differ only while a rebuild is under way, so that
 * nobody sees half a dashboard. Rows of all collections below carry their epoch.
 */
export interface ProjectionState extends Stored {
  reading: number;
  writing: number;
}

interface Row extends Stored {
  epoch: number;
}

export interface Totals extends Row {
  sessions: number;
  participants: number;
  scenarios: number;
  members: number;
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

/** The gaps of a scenario's latest session: those still open. */
export interface GapRow extends Row {
  scenario: string;
  session_id: string;
  ended_at: Date;
  gaps: Gap[];
}

/** A scenario or member that exists or existed: guards its count against older and repeated events. */
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
const gapRows = collection<GapRow>({
  name: 'dashboard_gaps',
  fields: {
    ...row,
    scenario: required(String),
    session_id: required(String),
    ended_at: required(Date),
    gaps: [Mixed],
  },
  indexes: [[{ org_id: 1, epoch: 1 }]],
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
  gapRows,
  scenarioRows,
  memberRows,
  participantRows,
] as const;

export const projectionStates = repository(states);
export const dashboardTotals = repository(totals);
export const dashboardSessions = repository(sessionRows);
export const dashboardDays = repository(dayRows);
export const dashboardGaps = repository(gapRows);
export const dashboardScenarios = repository(scenarioRows);
export const dashboardMembers = repository(memberRows);
export const dashboardParticipants = repository(participantRows);
