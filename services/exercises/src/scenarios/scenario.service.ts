import {
  type List,
  type ScenarioContent,
  type ScenarioSummary,
  scenarioProblems,
  scenarioPublished,
  scenarioRemoved,
  type scenariosApi,
  type scenarioUpload,
} from '@muster/contracts';
import {
  AppError,
  type Ctx,
  invalid,
  isDuplicateKey,
  listPage,
  SHARED_ORG,
  trusted,
} from '@muster/service-kit';
import { v7 } from 'uuid';
import type { z } from 'zod';
import { type ScenarioDoc, scenarios, summaryProjection, toSummary } from './scenario.model.ts';
import { contentHash, fold, searchText, slugOf, summaryOf } from './scenario.rules.ts';

type ListQuery = z.output<(typeof scenariosApi)['endpoints']['listScenarios']['query']>;

/** One page of the library: the built-in scenarios and the organization's own. */
export async function listScenarios(ctx: Ctx, query: ListQuery): Promise<List<ScenarioSummary>> {
  const { limit, cursor, q, technique, industry, ...exact } = query;
  const filter = {
    ...Object.fromEntries(Object.entries(exact).filter(([, value]) => value !== undefined)),
    ...(technique && { techniques: technique }),
    ...(industry && { industries: industry }),
    ...(q && { search_text: trusted({ $regex: regexSource(fold(q)) }) }),
  };
  return await listPage(ctx, scenarios(ctx), {
    name: 'scenarios',
    filter,
    query: { limit, cursor },
    projection: summaryProjection,
    item: toSummary,
  });
}

const regexSource = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A stored scenario; the organization's own before a built-in one of the same name. Raises `not-found`. */
export async function findScenario(ctx: Ctx, filename: string): Promise<ScenarioDoc> {
  const found = await scenarios(ctx).findOne({ filename }, { sort: { org_id: 1 } });
  if (!found) throw new AppError('not-found', `There is no scenario named ${filename}.`);
  return found;
}

/** What a scenario's entity tag says. */
export const versionOf = (doc: ScenarioDoc) => `${doc.content_hash.slice(7, 27)}-${doc.updated_at.getTime()}`;

/** Stores an uploaded scenario. Raises 422 with every broken reference, 409 when its name is taken. */
export async function createScenario(
  ctx: Ctx,
  upload: z.output<typeof scenarioUpload>,
): Promise<ScenarioDoc> {
  const content = contentOf(upload);
  const broken = scenarioProblems(content);
  if (broken.length > 0) throw invalid(broken);
  const filename = upload.filename ?? slugOf(content.title);
  if (await scenarios(ctx).findOne({ filename }, { projection: { _id: 1 } })) throw nameTaken(filename);
  const doc = scenarioDoc(content, { filename, source: 'upload', createdBy: ctx.actor.name });
  try {
    const stored = await scenarios(ctx).insert(doc);
    await publish(ctx, stored);
    return stored;
  } catch (error) {
    throw isDuplicateKey(error) ? nameTaken(filename) : error;
  }
}

/** The author's part of an upload; what the server sets is left out. */
function contentOf(upload: z.output<typeof scenarioUpload>): ScenarioContent {
  const { filename, source, content_hash, created_by, created_at, updated_at, ...content } = upload;
  return content;
}

const nameTaken = (filename: string) =>
  new AppError(
    'conflict',
    `A scenario named ${filename} is there already: choose another filename or title.`,
  );

/** The stored form of a scenario's content. */
export function scenarioDoc(
  content: ScenarioContent,
  set: { filename: string; source: ScenarioDoc['source']; createdBy: string },
): Omit<ScenarioDoc, 'org_id'> {
  const { title, summary, category, difficulty, duration_minutes, industries } = content;
  const now = new Date();
  return {
    _id: v7(),
    filename: set.filename,
    content,
    title,
    summary,
    category,
    difficulty,
    duration_minutes,
    industries,
    ...summaryOf(content),
    search_text: searchText(content),
    source: set.source,
    content_hash: contentHash(content),
    created_by: set.createdBy,
    created_at: now,
    updated_at: now,
  };
}

/** Tells the others that a scenario is in the library. */
export async function publish(ctx: Ctx, doc: ScenarioDoc): Promise<void> {
  const { filename, title, category, difficulty, industries, techniques, source, content_hash } = doc;
  const objectives = doc.content.objectives;
  const capabilities = [...new Set(objectives.map(({ capability }) => capability))];
  const controls = objectives.flatMap((objective) => objective.controls);
  const data = {
    filename,
    title,
    category,
    difficulty,
    industries,
    techniques,
    capabilities,
    controls,
    source,
    content_hash,
  };
  await ctx.emit(scenarioPublished, { subject: doc._id, seq: 1, data });
}

/** Takes an uploaded scenario out of the library; sessions keep their copy. Raises `not-found`, `built-in`, 412. */
export async function removeScenario(
  ctx: Ctx,
  filename: string,
  requireMatch: (etag: string) => void,
): Promise<void> {
  const doc = await findScenario(ctx, filename);
  if (doc.org_id === SHARED_ORG)
    throw new AppError('built-in', 'Only scenarios that were uploaded can be deleted.');
  requireMatch(versionOf(doc));
  if (!(await scenarios(ctx).deleteOne({ _id: doc._id })))
    throw new AppError('not-found', `There is no scenario named ${filename}.`);
  await ctx.emit(scenarioRemoved, { subject: doc._id, seq: 2, data: { filename } });
}
