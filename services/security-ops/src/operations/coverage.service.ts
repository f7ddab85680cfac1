import { ATTACK_VERSION, techniqueOf } from '@muster/attack';
import type { Coverage, coverageApi, LayerDomain, NavigatorLayer } from '@muster/contracts';
import type { Ctx } from '@muster/service-kit';
import type { z } from 'zod';
import {
  coverageSources,
  coverageTechniques,
  type Mention,
  type SourceDoc,
  type SourceKind,
} from './coverage.model.ts';
import { byState, coverageLayer, coverageOf, currentOf, inOrderOfPriority } from './coverage.rules.ts';

type ListQuery = z.output<(typeof coverageApi)['endpoints']['getCoverage']['query']>;

/** Every technique of which the organization knows anything, the most pressing first. ATT&CK bounds how many. */
export async function readCoverage(ctx: Ctx, query: ListQuery = {}): Promise<Coverage> {
  const rows = await coverageTechniques(ctx).find({});
  const items = inOrderOfPriority(rows.flatMap((row) => coverageOf(row) ?? [])).filter(
    ({ state, domain }) => (query.state ?? state) === state && (query.domain ?? domain) === domain,
  );
  return { items, total: items.length, by_state: byState(items), attack_version: ATTACK_VERSION };
}

/** The same as a layer of one domain. */
export async function readCoverageLayer(ctx: Ctx, domain: LayerDomain): Promise<NavigatorLayer> {
  return coverageLayer((await readCoverage(ctx, { domain })).items, domain);
}

export type Source = Pick<SourceDoc, 'kind' | 'ref' | 'title' | 'at' | 'techniques'> & { seq: number };

/**
 * Takes in what a session, an operation or an item of intelligence says of techniques, in place of what it said before.
 * An event older than what is known, or known, changes nothing.
 */
export async function applySource(ctx: Ctx, source: Source): Promise<void> {
  const { kind, ref } = source;
  const _id = `${kind}.${ref}`;
  const after = { _id, ...source, techniques: currentOf(source.techniques) };
  const before = await coverageSources(ctx).keepNewer(after, 'seq');
  if (before === undefined) return;
  const was = new Set(before?.techniques.map(({ technique }) => technique));
  const is = new Set(after.techniques.map(({ technique }) => technique));
  for (const technique of new Set([...was, ...is])) {
    await settle(ctx, kind, technique, Number(is.has(technique)) - Number(was.has(technique)));
  }
}

/** Forgets what a source said; its version stays, so that no late event brings it back. */
export async function removeSource(
  ctx: Ctx,
  kind: SourceKind,
  { ref, seq }: { ref: string; seq: number },
): Promise<void> {
  await applySource(ctx, { kind, ref, seq, title: '', at: new Date(), techniques: [] });
}

/** Brings one technique's mark in line with its sources. */
async function settle(ctx: Ctx, kind: SourceKind, technique: string, change: number): Promise<void> {
  const latest = await coverageSources(ctx).findOne(
    { kind, 'techniques.technique': technique },
    { sort: { at: -1 } },
  );
  const spoken = latest?.techniques.find((one) => one.technique === technique);
  await coverageTechniques(ctx).updateOne(
    { _id: rowOf(ctx, technique) },
    {
      $set: { technique, ...(latest && spoken && lastOf(kind, latest, spoken)) },
      $inc: { [`${kind}.count`]: change },
    },
    { upsert: true },
  );
}

/** The fields of a mark that its last source sets, by their paths in the row. */
function lastOf(
  kind: SourceKind,
  { ref, title }: SourceDoc,
  { at, result }: Mention,
): Record<string, unknown> {
  const last = { [`${kind}.ref`]: ref, [`${kind}.title`]: title, [`${kind}.at`]: at };
  return result ? { ...last, [`${kind}.result`]: result } : last;
}

/** Counts the techniques of a batch of the organization's own events. */
export async function applySeen(
  ctx: Ctx,
  batch: { at: Date; techniques: Readonly<Record<string, number>> },
): Promise<void> {
  for (const [given, count] of Object.entries(batch.techniques)) {
    const technique = techniqueOf(given)?.id;
    if (!technique) continue;
    await coverageTechniques(ctx).updateOne(
      { _id: rowOf(ctx, technique) },
      { $set: { technique }, $inc: { 'seen.count': count }, $max: { 'seen.at': batch.at } },
      { upsert: true },
    );
  }
}

const rowOf = (ctx: Ctx, technique: string) => `${ctx.org}.${technique}`;
