import { createAi } from '@muster/ai';
import {
  type draftsApi,
  intelScenarioDrafted,
  type List,
  type ScenarioDraft,
  type ScenarioWish,
  scenarioContent,
} from '@muster/contracts';
import { AppError, asking, type Ctx, listPage } from '@muster/service-kit';
import { v7 } from 'uuid';
import type { z } from 'zod';
import { findItem } from '../items/item.service.ts';
import { profileOf } from '../profiles/profile.service.ts';
import { type DraftDoc, drafts, toDraft } from './draft.model.ts';
import { draftFilename, draftProblems, sourceOf } from './draft.rules.ts';

const askAi = asking(createAi);

/** What a scenario is to be written from, and for whom. */
export interface DraftRequest {
  item_id: string;
  wish: ScenarioWish;
  created_by: string;
}

/**
 * Writes a scenario by the organization's engine, fitted to its profile where there is one, and tells the library. A
 * job that is repeated writes one. @returns the draft's id. Raises `not-found` for an item that was removed meanwhile
 */
export async function writeDraft(ctx: Ctx, request: DraftRequest, job_id: string): Promise<string> {
  const { item_id, wish, created_by } = request;
  const written = await drafts(ctx).findOne({ job_id }, { projection: { _id: 1 } });
  if (written) return written._id;
  const item = await findItem(ctx, item_id);
  const profile = await profileOf(ctx);
  const { result, engine } = await askAi(ctx, 'write-scenario', (ai, options) =>
    ai.writeScenario({ item: sourceOf(item), profile, wish }, options),
  );
  const content = scenarioContent.parse(result);
  const problems = draftProblems(content, item);
  if (problems.length > 0) throw new Error(`The scenario could not be used: ${problems.join('; ')}`);
  const _id = v7();
  await ctx.inTransaction((inside) =>
    store(inside, {
      _id,
      item_id,
      content,
      engine,
      job_id,
      created_by,
      filename: draftFilename(content.title, _id),
      fitted: profile !== null,
    }),
  );
  return _id;
}

async function store(
  ctx: Ctx,
  draft: Omit<DraftDoc, 'org_id' | 'status' | 'created_at' | 'stored_at'>,
): Promise<void> {
  await drafts(ctx).insert({ ...draft, status: 'drafted', created_at: new Date(), stored_at: null });
  const { _id: draft_id, item_id, filename, content: scenario, created_by } = draft;
  const data = { draft_id, item_id, filename, scenario, created_by, source: 'intel' as const };
  await ctx.emit(intelScenarioDrafted, { subject: draft_id, seq: 1, data });
}

/** The library has taken a scenario, under this name. One that was not drawn from intel changes nothing. */
export async function draftStored(
  ctx: Ctx,
  { subject, time, data }: { subject: string; time: string; data: { filename: string } },
): Promise<void> {
  const stored_at = new Date(time);
  await drafts(ctx).updateOne(
    { _id: subject },
    { $set: { status: 'stored', filename: data.filename, stored_at } },
  );
}

type ListQuery = z.output<(typeof draftsApi)['endpoints']['listDrafts']['query']>;

/** One page of the organization's drafts, the latest first. */
export async function listDrafts(ctx: Ctx, { item_id, ...query }: ListQuery): Promise<List<ScenarioDraft>> {
  const filter = { ...(item_id !== undefined && { item_id }) };
  return await listPage(ctx, drafts(ctx), { name: 'drafts', filter, query, item: toDraft });
}

/** A draft of the caller's organization. Raises `not-found`. */
export async function findDraft(ctx: Ctx, id: string): Promise<DraftDoc> {
  const found = await drafts(ctx).findOne({ _id: id });
  if (!found) throw new AppError('not-found', 'There is no draft of a scenario with this id.');
  return found;
}
