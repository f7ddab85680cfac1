import type { SessionRecord } from '@muster/ai';
import { AppError, type Ctx } from '@muster/service-kit';
import { type SessionDoc, toSession } from '../sessions/session.model.ts';
import { findSession } from '../sessions/session.service.ts';

/** A completed session as it is stored, and as the engines read it. */
export interface CompletedSession {
  doc: SessionDoc & { ended_at: Date };
  record: SessionRecord;
}

/** A completed session of the caller's organization. Raises `not-found`, or `in-progress` while it is not completed. */
export async function completedSession(ctx: Ctx, id: string): Promise<CompletedSession> {
  const doc = await findSession(ctx, id);
  const { scores, ended_at, scenario_snapshot: scenario } = doc;
  if (!scores || !ended_at)
    throw new AppError('in-progress', 'This session is still in progress: complete it first.');
  return { doc: { ...doc, ended_at }, record: { session: toSession(doc), scenario, scores } };
}
