import type { Dashboard, gapsApi, List, TrackedGap } from '@muster/contracts';
import { AppError, type Ctx, listPage, trusted } from '@muster/service-kit';
import type { z } from 'zod';
import { type GapDoc, gaps, toTrackedGap } from './gap.model.ts';
import { daysBetween, retestDue } from './gap.rules.ts';

type Endpoints = (typeof gapsApi)['endpoints'];
type ListQuery = z.output<Endpoints['listGaps']['query']>;
type Change = z.output<Endpoints['updateGap']['body']>;

/** One page of the organization's gaps, the latest opened first. */
export async function listGaps(ctx: Ctx, query: ListQuery): Promise<List<TrackedGap>> {
  const { limit, cursor, status, severity, capability, control } = query;
  const now = new Date();
  const filter = {
    ...(status && statusFilter(status, now)),
    ...(severity && { severity }),
    ...(capability && { capability }),
    ...(control && { control_name: control }),
  };
  return await listPage(ctx, gaps(ctx), {
    name: 'gaps',
    filter,
    query: { limit, cursor },
    item: (doc) => toTrackedGap(doc, now),
  });
}

/** A gap of the caller's organization. Raises `not-found`. */
export async function findGap(ctx: Ctx, id: string): Promise<GapDoc> {
  const found = await gaps(ctx).findOne({ _id: id });
  if (!found) throw new AppError('not-found', 'There is no gap with this id.');
  return found;
}

/** Notes who corrects a gap and how; closing it is for a session alone. Raises `not-found`, 412. */
export async function updateGap(
  ctx: Ctx,
  id: string,
  { corrected, retest_due_at, ...said }: Change,
  requireMatch: (etag: string) => void,
): Promise<GapDoc> {
  const gap = await findGap(ctx, id);
  requireMatch(String(gap.version));
  if (gap.closed_at) throw new AppError('conflict', 'This gap is closed: there is nothing left to correct.');
  const now = new Date();
  const changed = {
    ...said,
    ...(retest_due_at && { retest_due_at: new Date(retest_due_at) }),
    ...(corrected === true && { corrected_at: now, retest_due_at: now }),
    ...(corrected === false && {
      corrected_at: null,
      retest_due_at: retestDue(gap.severity, gap.last_seen_at),
    }),
  };
  const stored = await gaps(ctx).findOneAndUpdate(
    { _id: id, version: gap.version },
    { $set: { ...changed, version: gap.version + 1 } },
  );
  if (!stored)
    throw new AppError('conflict', 'Somebody else changed this gap just now: read it and try again.');
  return stored;
}

/** How many gaps there are, how long proof takes in days, and which share of the closed came back. */
export async function summarizeGaps(ctx: Ctx) {
  const now = new Date();
  const open = await gaps(ctx).count(statusFilter('open', now));
  const retest_due = await gaps(ctx).count(statusFilter('retest_due', now));
  const proved = await gaps(ctx).find(statusFilter('closed', now), {
    projection: { opened_at: 1, closed_at: 1 },
  });
  const cameBack = { relapses: trusted({ $gt: 0 }) };
  const relapsed = await gaps(ctx).count(cameBack);
  const everClosed = proved.length + (await gaps(ctx).count({ ...cameBack, closed_at: null }));
  const days = proved.map(({ opened_at, closed_at }) => daysBetween(opened_at, closed_at ?? now));
  const mean = days.reduce((sum, one) => sum + one, 0) / days.length;
  return {
    open,
    retest_due,
    closed: proved.length,
    mean_days_to_proof: days.length === 0 ? null : Math.round(mean * 10) / 10,
    relapse_rate: everClosed === 0 ? null : Math.round((100 * relapsed) / everClosed) / 100,
  };
}

/** How many gaps are not proved closed. */
export async function countOpen(ctx: Ctx): Promise<number> {
  return await gaps(ctx).count({ closed_at: null });
}

/** The gravest gaps that are not closed, the latest seen first among equals, as the dashboard shows them. */
export async function gravestGaps(ctx: Ctx, limit: number): Promise<Dashboard['top_gaps']> {
  const found = await gaps(ctx).find({ closed_at: null }, { sort: { gravity: -1, last_seen_at: -1 }, limit });
  return found.flatMap(({ title, capability, control, techniques, findings }) => {
    const finding = findings.find((one) => one.title === title);
    if (!finding) return [];
    const { at, ...shown } = finding;
    const id = `${shown.inject_id}:${shown.action_id}`;
    return [
      {
        ...shown,
        id,
        capability,
        techniques: techniques.map((technique) => technique.id),
        objective_id: null,
        controls: control ? [control] : [],
      },
    ];
  });
}

function statusFilter(status: TrackedGap['status'], now: Date) {
  if (status === 'closed') return { closed_at: trusted({ $ne: null }) };
  const due = status === 'retest_due' ? { $lte: now } : { $gt: now };
  return { closed_at: null, retest_due_at: trusted(due) };
}
