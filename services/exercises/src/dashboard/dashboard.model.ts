import type { Capability, Dashboard } from '@muster/contracts';
import {
  collection,
  list,
  Mixed,
  nullable,
  optional,
  type RowOf,
  repository,
  required,
} from '@muster/service-kit';

/** The epoch of what only other services could tell again: a rebuild leaves it as it is. */
export const FOREIGN_EPOCH = 0;

/**
 * Which epoch of the projection is read and which is written. They differ only while a rebuild is under way, so that
 * nobody sees half a dashboard. Rows of all collections below carry their epoch.
 */
const states = collection({
  name: 'dashboard_states',
  fields: { reading: required(Number), writing: required(Number) },
  indexes: [],
});
export type ProjectionState = RowOf<typeof states>;

const totals = collection({
  name: 'dashboard_totals',
  fields: {
    epoch: required(Number),
    sessions: required(Number),
    participants: required(Number),
    scenarios: required(Number),
    members: required(Number),
    /** Sessions that have a playbook; missing in rows from before it was counted. */
    playbooks: optional(Number),
    /** In the row of {@link FOREIGN_EPOCH} only. */
    intel_items: optional(Number),
    operations: optional(Number),
    events_open: optional(Number),
    /** The latest completed sessions, the latest first, as the dashboard shows them. */
    recent: list<Dashboard['recent_sessions'][number]>(Mixed),
    as_of: required(Date),
  },
  indexes: [[{ org_id: 1, epoch: 1 }]],
});
export type Totals = RowOf<typeof totals>;

/** One session, as far as the dashboard knows it: guards against older and repeated events. */
const sessionRows = collection({
  name: 'dashboard_sessions',
  fields: {
    epoch: required(Number),
    seq: required(Number),
    ended_at: nullable(Date),
    overall: nullable(Number),
    capabilities: list<{ capability: Capability; score: number }>(Mixed),
  },
  indexes: [[{ org_id: 1, epoch: 1 }]],
});
export type SessionRow = RowOf<typeof sessionRows>;

/** What was scored on one day (UTC). */
const dayRows = collection({
  name: 'dashboard_days',
  fields: {
    epoch: required(Number),
    day: required(Date),
    sessions: required(Number),
    overall: required(Number),
    capabilities: required<Partial<Record<Capability, { sum: number; sessions: number }>>>(Mixed),
  },
  indexes: [[{ org_id: 1, epoch: 1, day: 1 }]],
});
export type DayRow = RowOf<typeof dayRows>;

/** A scenario, member or session's playbook that exists or existed: guards its count against older and repeated events. */
const presence = {
  fields: { epoch: required(Number), seq: required(Number), present: required(Boolean) },
  indexes: [[{ org_id: 1, epoch: 1 }]],
} as const;
const scenarioRows = collection({ ...presence, name: 'dashboard_scenarios' });
const memberRows = collection({ ...presence, name: 'dashboard_members' });
const foreignItemRows = collection({ ...presence, name: 'dashboard_elsewhere' });
const playbookRows = collection({ ...presence, name: 'dashboard_playbooks' });
export type PresenceRow = RowOf<typeof scenarioRows>;

const participantRows = collection({
  name: 'dashboard_participants',
  fields: { epoch: required(Number) },
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
  foreignItemRows,
  participantRows,
] as const;

export const projectionStates = repository(states);
export const dashboardTotals = repository(totals);
export const dashboardSessions = repository(sessionRows);
export const dashboardDays = repository(dayRows);
export const dashboardScenarios = repository(scenarioRows);
export const dashboardMembers = repository(memberRows);
export const dashboardPlaybooks = repository(playbookRows);
export const dashboardForeignItems = repository(foreignItemRows);
export const dashboardParticipants = repository(participantRows);
