import { withParents } from '@muster/attack';
import {
  type Imported,
  type List,
  type OperationInput,
  type OperationSummary,
  operationCompleted,
  operationRemoved,
  type operationsApi,
} from '@muster/contracts';
import { AppError, type Ctx, invalid, listPage, lostRace, trusted } from '@muster/service-kit';
import { v7 } from 'uuid';
import type { z } from 'zod';
import { wordsOf } from '../events/word.rules.ts';
import { metricsOf, minutesToDetect } from './metrics.rules.ts';
import { type OperationDoc, operations, summaryProjection, toSummary } from './operation.model.ts';
import {
  mayMove,
  operationProblems,
  searchedTechnique,
  testedTechniques,
  timesOf,
} from './operation.rules.ts';

type ListQuery = z.output<(typeof operationsApi)['endpoints']['listOperations']['query']>;
type Match = (etag: string) => void;

const MOST_WORDS = 200;

/** One page of the organization's operations, the latest written first. */
export async function listOperations(ctx: Ctx, query: ListQuery): Promise<List<OperationSummary>> {
  const { limit, cursor, status, technique, q, from, to } = query;
  const started = { ...(from && { $gte: new Date(from) }), ...(to && { $lt: new Date(to) }) };
  const filter = {
    ...(status && { status }),
    ...(technique && { technique_ids: searchedTechnique(technique) }),
    ...(q && { words: trusted({ $all: wordsOf(q) }) }),
    ...((from || to) && { started_at: trusted(started) }),
  };
  return await listPage(ctx, operations(ctx), {
    name: 'operations',
    filter,
    query: { limit, cursor },
    projection: summaryProjection,
    item: toSummary,
  });
}

/** An operation of the caller's organization. Raises `not-found`. */
export async function findOperation(ctx: Ctx, id: string): Promise<OperationDoc> {
  const found = await operations(ctx).findOne({ _id: id });
  if (!found) throw new AppError('not-found', 'There is no operation with this id.');
  return found;
}

/** Stores an operation, and tells the others when it is completed. Raises 422 with all that is wrong. */
export async function createOperation(
  ctx: Ctx,
  input: OperationInput,
  imported: Imported | null = null,
): Promise<OperationDoc> {
  const _id = v7();
  const now = new Date();
  const stored = await operations(ctx).insert({
    _id,
    version: 1,
    ...written(input, now),
    imported,
    execution_id: imported?.execution_id ?? _id,
    created_by: ctx.actor.name,
    created_at: now,
    updated_at: now,
  });
  await announce(ctx, stored);
  return stored;
}

/** Replaces what is written of an operation. Raises `not-found`, 409 where its status cannot go there, 412, 422. */
export async function updateOperation(
  ctx: Ctx,
  id: string,
  input: OperationInput,
  requireMatch: Match,
): Promise<OperationDoc> {
  const { version, status } = await findOperation(ctx, id);
  requireMatch(String(version));
  if (status === 'completed')
    throw new AppError('conflict', 'This operation is completed and does not change any more.');
  if (!mayMove(status, input.status)) {
    const way = 'from planned to running to completed, one step at a time';
    throw new AppError('conflict', `It is ${status} and cannot become ${input.status}: it goes ${way}.`);
  }
  const now = new Date();
  const stored = await operations(ctx).findOneAndUpdate(
    { _id: id, version },
    { $set: { ...written(input, now), version: version + 1, updated_at: now } },
  );
  if (!stored) throw lostRace();
  await announce(ctx, stored);
  return stored;
}

/** Deletes an operation; what a completed one proved is taken back. Raises `not-found`, 412. */
export async function deleteOperation(ctx: Ctx, id: string, requireMatch: Match): Promise<void> {
  const { version, status } = await findOperation(ctx, id);
  requireMatch(String(version));
  if (!(await operations(ctx).deleteOne({ _id: id, version }))) throw lostRace();
  if (status !== 'completed') return;
  await ctx.emit(operationRemoved, { subject: id, seq: version + 1, data: { operation_id: id } });
}

/** What a caller writes and what follows from it. */
function written(input: OperationInput, now: Date) {
  const broken = operationProblems(input);
  if (broken.length > 0) throw invalid(broken);
  const { name, objective, status, scenario, session_id } = input;
  const techniques = testedTechniques(input.techniques);
  return {
    name,
    objective,
    status,
    scenario,
    session_id,
    techniques,
    ...timesOf(input, now),
    metrics: metricsOf(techniques),
    technique_ids: withParents(techniques.map(({ technique }) => technique)),
    words: [...new Set(wordsOf(`${name} ${objective}`))].slice(0, MOST_WORDS),
    techniques_count: techniques.length,
  };
}

async function announce(ctx: Ctx, doc: OperationDoc): Promise<void> {
  const { _id, version, status, name, scenario, session_id, started_at, ended_at, metrics } = doc;
  if (status !== 'completed' || !started_at || !ended_at) return;
  await ctx.emit(operationCompleted, {
    subject: _id,
    seq: version,
    data: {
      operation_id: _id,
      name,
      scenario,
      session_id,
      metrics,
      started_at: started_at.toISOString(),
      ended_at: ended_at.toISOString(),
      techniques: doc.techniques.map((one) => ({
        technique: one.technique,
        name: one.name,
        result: one.result,
        executed_at: one.red.executed_at,
        minutes_to_detect: minutesToDetect(one),
      })),
    },
  });
}
