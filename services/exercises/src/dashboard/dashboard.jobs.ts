import { setTimeout as sleep } from 'node:timers/promises';
import { memberChanged, replayRequested } from '@muster/contracts';
import { type Ctx, trusted, type WorkProgress, work } from '@muster/service-kit';
import { v7 } from 'uuid';
import { z } from 'zod';
import { playbooks } from '../playbooks/playbook.model.ts';
import { announcePlaybook } from '../playbooks/playbook.service.ts';
import { scenarios } from '../scenarios/scenario.model.ts';
import { publish } from '../scenarios/scenario.service.ts';
import { sessions } from '../sessions/session.model.ts';
import { announce } from '../sessions/session.service.ts';
import {
  dashboardDays,
  dashboardMembers,
  dashboardParticipants,
  dashboardPlaybooks,
  dashboardScenarios,
  dashboardSessions,
  dashboardTotals,
  FOREIGN_EPOCH,
  projectionStates,
} from './dashboard.model.ts';
import { epochs } from './dashboard.service.ts';

const PAGE = 100;
const POLL_MS = 250;
const PATIENCE_MS = 10 * 60_000;

/**
 * Drops an organization's dashboard projection and builds it again: every owner emits its current state as ordinary
 * events, which fill a new epoch; the old one is read until the new one is whole. Running it twice is harmless.
 */
export const dashboardRebuild = work({
  kind: 'dashboard-rebuild',
  payload: z.strictObject({}),
  run: async (ctx: Ctx, _payload, progress) => {
    const epoch = await openEpoch(ctx);
    const expected = await expectedRows(ctx);
    await replay(ctx, progress, expected.sessions);
    await waitForRows(ctx, progress, epoch, expected);
    await projectionStates(ctx).updateOne({ _id: ctx.org }, { $set: { reading: epoch } });
    await dropOlder(ctx, epoch);
    return { href: '/api/dashboard/' };
  },
});

async function openEpoch(ctx: Ctx): Promise<number> {
  return await ctx.inTransaction(async (inside) => {
    const { reading, writing } = await epochs(inside);
    await projectionStates(inside).updateOne(
      { _id: ctx.org },
      { $set: { reading, writing: writing + 1 } },
      { upsert: true },
    );
    const id = v7();
    await inside.emit(replayRequested, { subject: id, seq: 1, data: { types: [memberChanged.type] } });
    return writing + 1;
  });
}

const uploadFilter = () => ({ source: trusted({ $ne: 'builtin' as const }) });

async function replay(ctx: Ctx, progress: WorkProgress, total: number): Promise<void> {
  const own = await scenarios(ctx).find(uploadFilter(), { sort: { _id: 1 } });
  for (const scenario of own) await ctx.inTransaction((inside) => publish(inside, scenario));
  await replayPlaybooks(ctx);
  let done = 0;
  for (let after = ''; ; ) {
    const page = await sessions(ctx).find(
      { _id: trusted({ $gt: after }) },
      { sort: { _id: 1 }, limit: PAGE },
    );
    const last = page.at(-1);
    if (!last) return;
    await ctx.inTransaction(async (inside) => {
      for (const session of page) await announce(inside, session);
    });
    after = last._id;
    done += page.length;
    await progress.report(done, total, 'sending the sessions again');
  }
}

async function replayPlaybooks(ctx: Ctx): Promise<void> {
  for (let after = ''; ; ) {
    const newer = { current: true, _id: trusted({ $gt: after }) };
    const page = await playbooks(ctx).find(newer, { sort: { _id: 1 }, limit: PAGE });
    const last = page.at(-1);
    if (!last) return;
    await ctx.inTransaction(async (inside) => {
      for (const playbook of page) await announcePlaybook(inside, playbook);
    });
    after = last._id;
  }
}

interface RowCounts {
  sessions: number;
  scenarios: number;
  members: number;
  playbooks: number;
}

/** How many rows the new epoch must have: as many as there are, and of members, which others own, as were known. */
async function expectedRows(ctx: Ctx): Promise<RowCounts> {
  const { reading } = await epochs(ctx);
  return {
    sessions: await sessions(ctx).count({}),
    scenarios: await scenarios(ctx).count(uploadFilter()),
    members: await dashboardMembers(ctx).count({ epoch: reading, present: true }),
    playbooks: await playbooks(ctx).count({ current: true }),
  };
}

/** Waits until the events have come back through the broker. Raises when they do not. */
async function waitForRows(
  ctx: Ctx,
  progress: WorkProgress,
  epoch: number,
  expected: RowCounts,
): Promise<void> {
  for (
    const until = Date.now() + PATIENCE_MS;
    Date.now() < until;
    await sleep(POLL_MS, undefined, { signal: ctx.signal })
  ) {
    const applied = (await dashboardTotals(ctx).findOne({ _id: `${epoch}.${ctx.org}` }))?.sessions ?? 0;
    await progress.report(applied, expected.sessions, 'taking the sessions in');
    const others =
      (await dashboardScenarios(ctx).count({ epoch })) >= expected.scenarios &&
      (await dashboardMembers(ctx).count({ epoch })) >= expected.members &&
      (await dashboardPlaybooks(ctx).count({ epoch })) >= expected.playbooks;
    if (others && applied >= expected.sessions) return;
  }
  throw new Error('The events of the rebuild did not come back in time: is the broker running?');
}

async function dropOlder(ctx: Ctx, epoch: number): Promise<void> {
  const older = { epoch: trusted({ $lt: epoch, $gt: FOREIGN_EPOCH }) };
  await dashboardTotals(ctx).deleteMany(older);
  await dashboardDays(ctx).deleteMany(older);
  await dashboardSessions(ctx).deleteMany(older);
  await dashboardScenarios(ctx).deleteMany(older);
  await dashboardMembers(ctx).deleteMany(older);
  await dashboardPlaybooks(ctx).deleteMany(older);
  await dashboardParticipants(ctx).deleteMany(older);
}
