import {
  type InjectResponse,
  type List,
  type Scores,
  type SessionInput,
  type SessionPatch,
  type SessionSummary,
  sessionCompleted,
  sessionSaved,
  type sessionsApi,
} from '@muster/contracts';
import { AppError, type Ctx, invalid, listPage, lostRace, settingsOf, trusted } from '@muster/service-kit';
import { v7 } from 'uuid';
import type { z } from 'zod';
import { minuteOfDecision, tableOf } from '../conduct/conduct.rules.ts';
import { trialRecords } from '../gaps/gap.rules.ts';
import { scenarios } from '../scenarios/scenario.model.ts';
import { summaryOf as contentSummary } from '../scenarios/scenario.rules.ts';
import { playOf } from '../scores/play.rules.ts';
import { scoreSession, summaryOf } from '../scores/scoring.rules.ts';
import { type SessionDoc, sessions, summaryProjection, toSummary } from './session.model.ts';
import { brokenReferences, brokenTimes, timesOf } from './session.rules.ts';

type ListQuery = z.output<(typeof sessionsApi)['endpoints']['listSessions']['query']>;

/** One page of the organization's sessions, the latest saved first. */
export async function listSessions(ctx: Ctx, query: ListQuery): Promise<List<SessionSummary>> {
  const { limit, cursor, status, scenario, from, to } = query;
  const started = { ...(from && { $gte: new Date(from) }), ...(to && { $lt: new Date(to) }) };
  const filter = {
    ...(status && { status }),
    ...(scenario && { scenario }),
    ...((from || to) && { started_at: trusted(started) }),
  };
  return await listPage(ctx, sessions(ctx), {
    name: 'sessions',
    filter,
    query: { limit, cursor },
    projection: summaryProjection,
    item: toSummary,
  });
}

/** A session of the caller's organization. Raises `not-found`. */
export async function findSession(ctx: Ctx, id: string): Promise<SessionDoc> {
  const found = await sessions(ctx).findOne({ _id: id });
  if (!found) throw new AppError('not-found', 'There is no session with this id.');
  return found;
}

/** Saves a session with a copy of its scenario; scores it when it is completed. Raises 422 with all that is wrong. */
export async function createSession(ctx: Ctx, input: SessionInput): Promise<SessionDoc> {
  const scenario = await scenarios(ctx).findOne({ filename: input.scenario }, { sort: { org_id: 1 } });
  if (!scenario) {
    const message = `there is no scenario named ${input.scenario}: see /api/list-scenarios/`;
    throw invalid([{ path: '/scenario', code: 'unknown_scenario', message, in: 'body' }]);
  }
  const now = new Date();
  const doc: Omit<SessionDoc, 'org_id'> = {
    _id: v7(),
    version: 1,
    scenario: input.scenario,
    scenario_title: scenario.title,
    title: input.title ?? scenario.title,
    status: input.status,
    ...timesOf(input, scenario.duration_minutes, now),
    participants: input.participants,
    responses: input.responses,
    observations: input.observations,
    scenario_snapshot: {
      ...scenario.content,
      filename: scenario.filename,
      content_hash: scenario.content_hash,
    },
    conduct: null,
    scores: null,
    scores_summary: null,
    trials: null,
    created_by: ctx.actor.name,
    created_at: now,
    updated_at: now,
  };
  requireWhole(doc);
  const stored = await sessions(ctx).insert(await withScores(ctx, doc, now));
  await announce(ctx, stored);
  return stored;
}

/** Changes a session in progress, or completes it. Raises `not-found`, 409 when it is completed, 412, 422. */
export async function updateSession(
  ctx: Ctx,
  id: string,
  patch: SessionPatch,
  requireMatch: (etag: string) => void,
): Promise<SessionDoc> {
  return await changeSession(ctx, id, requireMatch, (doc) => {
    const { started_at, ended_at, ...fields } = patch;
    const status = patch.status ?? doc.status;
    const given = { status, started_at: started_at ?? doc.started_at.toISOString(), ended_at };
    return {
      ...doc,
      ...fields,
      status,
      ...timesOf(given, doc.scenario_snapshot.duration_minutes, new Date()),
    };
  });
}

/** Adds what the table decided to a session in progress. Raises as {@link updateSession} does. */
export async function addResponses(
  ctx: Ctx,
  id: string,
  responses: InjectResponse[],
  requireMatch: (etag: string) => void,
): Promise<SessionDoc> {
  const now = new Date();
  const written = { recorded_by: ctx.actor.name, recorded_at: now.toISOString() };
  return await changeSession(ctx, id, requireMatch, (doc) => ({
    ...doc,
    responses: [
      ...doc.responses,
      ...responses.map((response) => ({
        ...response,
        at_minutes: response.at_minutes ?? minuteOfDecision(tableOf(doc), response.inject_id, now),
        ...written,
      })),
    ],
  }));
}

/**
 * Changes a session in progress by compare-and-set, scores it when that completes it, and tells the others.
 * Raises `not-found`, 409 when it is completed, 412, 422 for what does not fit its scenario.
 */
export async function changeSession(
  ctx: Ctx,
  id: string,
  requireMatch: (etag: string) => void,
  apply: (doc: SessionDoc) => SessionDoc,
): Promise<SessionDoc> {
  const before = await findSession(ctx, id);
  requireMatch(String(before.version));
  if (before.status !== 'in_progress')
    throw new AppError('conflict', 'This session is completed and does not change any more.');
  const now = new Date();
  const changed = apply(before);
  requireWhole(changed);
  const { _id, org_id, created_at, created_by, ...after } = await withScores(
    ctx,
    { ...changed, version: before.version + 1, updated_at: now },
    now,
  );
  const stored = await sessions(ctx).findOneAndUpdate({ _id: id, version: before.version }, { $set: after });
  if (!stored) throw lostRace();
  await announce(ctx, stored);
  return stored;
}

function requireWhole(doc: Omit<SessionDoc, 'org_id'>): void {
  const broken = [...brokenReferences(doc.scenario_snapshot, doc), ...brokenTimes(doc.status, doc)];
  if (broken.length > 0) throw invalid(broken);
}

/** The session with its scores by the organization's bands, once it is completed. */
async function withScores<Doc extends Omit<SessionDoc, 'org_id'>>(
  ctx: Ctx,
  doc: Doc,
  now: Date,
): Promise<Doc> {
  if (doc.status !== 'completed') return doc;
  const { bands } = (await settingsOf(ctx)).scoring;
  const { _id, scenario_snapshot, responses, observations } = doc;
  const plays = playOf(scenario_snapshot.injects, responses);
  const computed_at = now.toISOString();
  const scores = scoreSession(
    { session_id: _id, scenario: scenario_snapshot, responses, observations, bands, computed_at },
    plays,
  );
  const ended_at = doc.ended_at ?? now;
  const played = { id: _id, ended_at, filename: doc.scenario, scenario: scenario_snapshot, responses };
  return { ...doc, scores, scores_summary: summaryOf(scores), trials: trialRecords(played, bands, plays) };
}

/** Tells the others what this session is now: one event for each version. */
export async function announce(ctx: Ctx, doc: SessionDoc): Promise<void> {
  const { _id, scenario, scenario_title, title, version } = doc;
  const facts = {
    session_id: _id,
    scenario,
    scenario_title,
    title,
    started_at: doc.started_at.toISOString(),
  };
  if (!doc.scores || !doc.ended_at) {
    await ctx.emit(sessionSaved, { subject: _id, seq: version, data: { ...facts, ended_at: null } });
    return;
  }
  const { overall, rating, maturity_level, objectives, capabilities, gaps } = doc.scores;
  await ctx.emit(sessionCompleted, {
    subject: _id,
    seq: version,
    data: {
      ...facts,
      ended_at: doc.ended_at.toISOString(),
      techniques: contentSummary(doc.scenario_snapshot).techniques,
      participants: doc.participants,
      scores: { overall, rating, maturity_level, objectives, capabilities, gaps },
    },
  });
}

/** The scores of a completed session. Raises `not-found`, or 409 while it is in progress. */
export async function scoresOf(ctx: Ctx, id: string): Promise<Scores> {
  const found = await sessions(ctx).findOne({ _id: id }, { projection: { scores: 1, status: 1 } });
  if (!found) throw new AppError('not-found', 'There is no session with this id.');
  if (!found.scores)
    throw new AppError('in-progress', 'This session is still in progress: complete it to see its scores.');
  return found.scores;
}
