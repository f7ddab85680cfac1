import { z } from 'zod';
import { id, scenarioFilename, text, timestamp } from '../../core/primitives.ts';
import { sessionExample, sessionSummaryExample, storedSessionExample } from '../examples.ts';
import { localId, scenarioContent } from '../scenarios/scenario.schemas.ts';
import { rating, scoresSummary } from '../scores/scores.schemas.ts';

export const SESSION_STATUSES = ['completed', 'in_progress'] as const;

export const participant = z.strictObject({
  name: text(120),
  role: localId.nullish(),
  email: z.email().max(254).nullish(),
  member_id: id.nullish(),
});
export type Participant = z.output<typeof participant>;

export const response = z.strictObject({
  inject_id: localId,
  /** Minutes since the session's start; null where nobody noted it. */
  at_minutes: z.number().min(0).max(43_200).nullish(),
  actions: z.array(localId).max(60).default([]),
  decision: z.string().max(100_000).default(''),
  role: localId.nullish(),
  notes: z.string().max(20_000).default(''),
});
export type InjectResponse = z.output<typeof response>;

/** A response with who wrote it down, and when, where it was recorded live. */
export const recordedResponse = response.extend({
  recorded_by: z.string().nullish(),
  recorded_at: timestamp.nullish(),
});
export type RecordedResponse = z.output<typeof recordedResponse>;

export const observation = z.strictObject({
  objective_id: localId,
  rating: rating.nullable().default(null),
  note: z.string().max(8000).default(''),
  observer: z.string().max(120).default(''),
});
export type Observation = z.output<typeof observation>;

const played = {
  title: text(200).optional(),
  status: z.enum(SESSION_STATUSES).default('completed'),
  started_at: timestamp.optional(),
  ended_at: timestamp.optional(),
  participants: z.array(participant).max(500).default([]),
  responses: z.array(response).max(2000).default([]),
  observations: z.array(observation).max(500).default([]),
};

/** A played (or just opened) session as it is saved. */
export const sessionInput = z
  .strictObject({ scenario: scenarioFilename, ...played })
  .meta({ id: 'SessionInput', example: sessionExample });
export type SessionInput = z.output<typeof sessionInput>;

/** What may change while the table runs; `status: "completed"` ends it and scores it. */
export const sessionPatch = z
  .strictObject({
    title: text(200),
    status: z.literal('completed'),
    started_at: timestamp,
    ended_at: timestamp,
    participants: played.participants.unwrap(),
    observations: played.observations.unwrap(),
  })
  .partial()
  .meta({ id: 'SessionPatch', example: { status: 'completed', ended_at: sessionExample.ended_at } });
export type SessionPatch = z.output<typeof sessionPatch>;

/** One response, or several at once. */
export const responsesInput = z
  .union([response, z.strictObject({ responses: z.array(response).min(1).max(200) })])
  .meta({ id: 'ResponsesInput', example: sessionExample.responses[0] });

export const sessionSummary = z
  .object({
    id,
    scenario: scenarioFilename,
    scenario_title: z.string(),
    title: z.string(),
    status: z.enum(SESSION_STATUSES),
    started_at: timestamp,
    ended_at: timestamp.nullable(),
    participants_count: z.int(),
    scores: scoresSummary.nullable(),
    created_by: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
    version: z.int(),
  })
  .meta({ id: 'SessionSummary', example: sessionSummaryExample });
export type SessionSummary = z.output<typeof sessionSummary>;

export const session = sessionSummary
  .extend({
    participants: z.array(participant),
    responses: z.array(recordedResponse),
    observations: z.array(observation),
    scenario_snapshot: scenarioContent.extend({ filename: scenarioFilename, content_hash: z.string() }),
  })
  .meta({ id: 'Session', example: storedSessionExample });
export type Session = z.output<typeof session>;
