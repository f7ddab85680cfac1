import { changesBetween, type Outcome } from '@muster/ai';
import {
  EXERCISED,
  type Exercised,
  type List,
  type PlaybookContent,
  type PlaybookSummary,
  playbookGenerated,
  type playbooksApi,
} from '@muster/contracts';
import { AppError, type Ctx, listPage } from '@muster/service-kit';
import { v7 } from 'uuid';
import type { z } from 'zod';
import { askAi } from '../ai/ai.service.ts';
import { type CompletedSession, completedSession } from '../ai/record.service.ts';
import { latestEvaluation } from '../evaluations/evaluation.service.ts';
import { stepsOf } from './layers.rules.ts';
import { type PlaybookDoc, playbooks, summaryProjection, toPlaybookSummary } from './playbook.model.ts';

type ListQuery = z.output<(typeof playbooksApi)['endpoints']['listPlaybooks']['query']>;

/** One page of the organization's current playbooks, the latest generated first. */
export async function listPlaybooks(ctx: Ctx, query: ListQuery): Promise<List<PlaybookSummary>> {
  return await listPage(ctx, playbooks(ctx), {
    name: 'playbooks',
    filter: { current: true },
    query,
    projection: summaryProjection,
    item: toPlaybookSummary,
  });
}

/** A session's playbook, the latest version unless one is named. Raises `not-found`. */
export async function findPlaybook(ctx: Ctx, session_id: string, version?: number): Promise<PlaybookDoc> {
  const found = await playbooks(ctx).findOne(
    { session_id, ...(version !== undefined && { version }) },
    { sort: { version: -1 } },
  );
  if (found) return found;
  throw new AppError(
    'not-found',
    version === undefined
      ? 'There is no playbook of this session yet: generate one first.'
      : `The playbook of this session has no version ${version}.`,
  );
}

/**
 * Writes the next version of a session's playbook by the organization's engine, after the latest evaluation's
 * improvement plan. A job that is repeated stores one. Raises `not-found`, `in-progress`.
 */
export async function writePlaybook(ctx: Ctx, session_id: string, job_id: string): Promise<void> {
  if (await playbooks(ctx).findOne({ session_id, job_id }, { projection: { _id: 1 } })) return;
  const completed = await completedSession(ctx, session_id);
  const improvements = (await latestEvaluation(ctx, session_id))?.content.improvements;
  const input = { ...completed.record, ...(improvements && { improvements }) };
  const outcome = await askAi(ctx, 'write-playbook', (ai, options) => ai.writePlaybook(input, options));
  await ctx.inTransaction((inside) => store(inside, completed, { outcome, job_id }));
}

async function store(
  ctx: Ctx,
  { doc: session, record }: CompletedSession,
  { outcome, job_id }: { outcome: Outcome<PlaybookContent>; job_id: string },
): Promise<void> {
  const { result, engine } = outcome;
  const session_id = session._id;
  const before = await playbooks(ctx).findOne({ session_id }, { sort: { version: -1 } });
  if (before) await playbooks(ctx).updateOne({ _id: before._id }, { $set: { current: false } });
  const version = 1 + (before?.version ?? 0);
  const created_at = new Date();
  const stored = await playbooks(ctx).insert({
    _id: v7(),
    session_id,
    version,
    current: true,
    engine,
    ...result,
    steps: stepsOf(result).length,
    changes: before ? changesBetween(before, result) : [],
    scenario: session.scenario,
    scenario_title: session.scenario_title,
    roles: record.scenario.roles.map(({ id, name }) => ({ id, name })),
    first_created_at: before?.first_created_at ?? created_at,
    created_at,
    job_id,
  });
  await announcePlaybook(ctx, stored);
}

/** Tells the others what this playbook is now: one event for each version. */
export async function announcePlaybook(ctx: Ctx, doc: PlaybookDoc): Promise<void> {
  const { session_id, scenario, title, version, engine } = doc;
  const steps = stepsOf(doc);
  const count = (exercised: Exercised) => steps.filter((step) => step.exercised === exercised).length;
  const counts = Object.fromEntries(EXERCISED.map((one) => [one, count(one)])) as Record<Exercised, number>;
  await ctx.emit(playbookGenerated, {
    subject: session_id,
    seq: version,
    data: { session_id, scenario, title, version, engine, steps: counts },
  });
}
