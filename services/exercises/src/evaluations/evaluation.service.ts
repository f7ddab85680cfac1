import { evaluationProblems } from '@muster/ai';
import {
  type Engine,
  type EvaluationContent,
  type EvaluationInput,
  sessionEvaluated,
} from '@muster/contracts';
import { AppError, type Ctx, invalid } from '@muster/service-kit';
import { v7 } from 'uuid';
import { askAi } from '../ai/ai.service.ts';
import { completedSession } from '../ai/record.service.ts';
import { type EvaluationDoc, evaluations } from './evaluation.model.ts';

/** A session's latest evaluation, or null before there is one. */
export async function latestEvaluation(ctx: Ctx, session_id: string): Promise<EvaluationDoc | null> {
  return await evaluations(ctx).findOne({ session_id }, { sort: { version: -1 } });
}

/** A session's latest evaluation. Raises `not-found`, also before there is one. */
export async function findEvaluation(ctx: Ctx, session_id: string): Promise<EvaluationDoc> {
  const found = await latestEvaluation(ctx, session_id);
  if (!found) throw new AppError('not-found', 'There is no evaluation of this session yet.');
  return found;
}

/** Stores an evaluation that somebody else's AI wrote. Raises `not-found`, `in-progress`, 422 for all it claims and the session does not hold. */
export async function storeExternal(
  ctx: Ctx,
  id: string,
  { engine: given, session_id: _id, created_at: _at, ...content }: EvaluationInput,
): Promise<EvaluationDoc> {
  const { doc, record } = await completedSession(ctx, id);
  const problems = evaluationProblems(content, record);
  if (problems.length > 0)
    throw invalid(
      problems.map((problem) => ({ ...problem, path: `/evaluation${problem.path}`, in: 'body' })),
    );
  const engine: Engine = {
    kind: 'external',
    ...(given?.model !== undefined && { model: given.model }),
    degraded: false,
  };
  return await store(ctx, { session: doc, engine, content, job_id: null });
}

/** Writes an evaluation by the organization's engine. A job that is repeated stores one. Raises `not-found`, `in-progress`. */
export async function writeEvaluation(ctx: Ctx, session_id: string, job_id: string): Promise<void> {
  if (await evaluations(ctx).findOne({ session_id, job_id })) return;
  const { doc, record } = await completedSession(ctx, session_id);
  const { result, engine } = await askAi(ctx, 'evaluate-session', (ai, options) =>
    ai.evaluateSession(record, options),
  );
  await ctx.inTransaction((inside) => store(inside, { session: doc, engine, content: result, job_id }));
}

async function store(
  ctx: Ctx,
  {
    session,
    engine,
    content,
    job_id,
  }: {
    session: { _id: string; scenario: string };
    engine: Engine;
    content: EvaluationContent;
    job_id: string | null;
  },
): Promise<EvaluationDoc> {
  const session_id = session._id;
  const version = 1 + ((await latestEvaluation(ctx, session_id))?.version ?? 0);
  const created_at = new Date();
  const stored = await evaluations(ctx).insert({
    _id: v7(),
    session_id,
    version,
    engine,
    content,
    job_id,
    created_at,
  });
  await ctx.emit(sessionEvaluated, {
    subject: session_id,
    seq: version,
    data: {
      session_id,
      scenario: session.scenario,
      engine,
      objective_ratings: content.objective_ratings.map(({ objective_id, rating }) => ({
        objective_id,
        rating,
      })),
      improvements: content.improvements,
    },
  });
  return stored;
}
