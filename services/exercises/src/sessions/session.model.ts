import type {
  Observation,
  Participant,
  RecordedResponse,
  Scores,
  ScoresSummary,
  Session,
  SessionSummary,
} from '@muster/contracts';
import { collection, list, Mixed, nullable, type RowOf, repository, required } from '@muster/service-kit';
import type { ConductRecord } from '../conduct/conduct.rules.ts';
import type { TrialRecord } from '../gaps/gap.rules.ts';

export const sessionCollection = collection({
  name: 'sessions',
  fields: {
    /** Raised by one with every change: the entity tag, and the order of its events. */
    version: required(Number),
    scenario: required(String),
    scenario_title: required(String),
    title: required(String),
    status: required<Session['status']>(String),
    started_at: required(Date),
    ended_at: nullable(Date),
    participants: list<Participant>(Mixed),
    responses: list<RecordedResponse>(Mixed),
    observations: list<Observation>(Mixed),
    scenario_snapshot: required<Session['scenario_snapshot']>(Mixed),
    /** How it is conducted live; null for one that was only written down. */
    conduct: nullable<ConductRecord>(Mixed),
    scores: nullable<Scores>(Mixed),
    scores_summary: nullable<ScoresSummary>(Mixed),
    /** How it went on each capability and control, for the gaps. */
    trials: nullable<TrialRecord[]>(Mixed),
    created_by: required(String),
    created_at: required(Date),
    updated_at: required(Date),
  },
  indexes: [
    [{ org_id: 1, _id: -1 }],
    [{ org_id: 1, status: 1, _id: -1 }],
    [{ org_id: 1, scenario: 1, _id: -1 }],
    [{ org_id: 1, started_at: -1, _id: -1 }],
  ],
});
export type SessionDoc = RowOf<typeof sessionCollection>;

export const sessions = repository(sessionCollection);

/** Leaves out what a list does not show. */
export const summaryProjection = {
  responses: 0,
  observations: 0,
  scenario_snapshot: 0,
  conduct: 0,
  scores: 0,
  trials: 0,
} as const;

export function toSummary(doc: SessionDoc): SessionSummary {
  return {
    id: doc._id,
    scenario: doc.scenario,
    scenario_title: doc.scenario_title,
    title: doc.title,
    status: doc.status,
    started_at: doc.started_at.toISOString(),
    ended_at: doc.ended_at?.toISOString() ?? null,
    participants_count: doc.participants.length,
    scores: doc.scores_summary,
    created_by: doc.created_by,
    created_at: doc.created_at.toISOString(),
    updated_at: doc.updated_at.toISOString(),
    version: doc.version,
  };
}

export function toSession(doc: SessionDoc): Session {
  const { participants, responses, observations, scenario_snapshot } = doc;
  return { ...toSummary(doc), participants, responses, observations, scenario_snapshot };
}
