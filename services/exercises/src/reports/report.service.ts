import type { Report } from '@muster/contracts';
import { type Ctx, settingsOf, trusted } from '@muster/service-kit';
import { completedSession } from '../ai/record.service.ts';
import { toEvaluation } from '../evaluations/evaluation.model.ts';
import { latestEvaluation } from '../evaluations/evaluation.service.ts';
import { type SessionDoc, sessions } from '../sessions/session.model.ts';
import { reportOf } from './report.rules.ts';

/** The after-action report of a completed session. Raises `not-found`, or `in-progress` while it is not completed. */
export async function readReport(ctx: Ctx, id: string): Promise<Report> {
  const { doc, record } = await completedSession(ctx, id);
  const [evaluation, previous, { organization, scoring }] = await Promise.all([
    latestEvaluation(ctx, id),
    previousExercise(ctx, doc),
    settingsOf(ctx),
  ]);
  return reportOf({
    record: { ...record, ended_at: doc.ended_at, filename: doc.scenario },
    live: doc.conduct !== null && doc.conduct !== undefined,
    evaluation: evaluation && toEvaluation(evaluation),
    previous,
    organization,
    bands: scoring.bands,
  });
}

/** The organization's last completed exercise that began before this one, whatever it was about. */
async function previousExercise(ctx: Ctx, { started_at }: SessionDoc): Promise<SessionDoc | null> {
  return await sessions(ctx).findOne(
    { status: 'completed', started_at: trusted({ $lt: started_at }) },
    { sort: { started_at: -1, _id: -1 }, projection: { participants: 0, conduct: 0 } },
  );
}
