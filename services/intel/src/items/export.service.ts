import type { Ctx } from '@muster/service-kit';
import { bundleId, objectsOf } from '../formats/stix-export.rules.ts';
import { toItem } from './item.model.ts';
import { filterOf, findItem, type ItemFilters } from './item.service.ts';
import { pagesOf } from './replay.service.ts';

/** One item as a STIX 2.1 bundle, and the version it is of. Raises `not-found`. */
export async function exportItem(ctx: Ctx, id: string): Promise<{ content: string; version: number }> {
  const doc = await findItem(ctx, id);
  const objects = objectsOf(toItem(doc), ctx.org).map(({ object }) => object);
  const content = JSON.stringify({ type: 'bundle', id: bundleId(`${id} ${doc.version}`), objects }, null, 2);
  return { content, version: doc.version };
}

/** All items that match as one STIX 2.1 bundle, in pieces as they are read. What several items name stands in it once. */
export async function* exportItems(ctx: Ctx, filters: ItemFilters): AsyncGenerator<string> {
  const written = new Set<string>();
  let separator = '';
  yield `{"type":"bundle","id":"${bundleId(`${ctx.org} ${Date.now()}`)}","objects":[`;
  for await (const page of pagesOf(ctx, filterOf(filters))) {
    for (const doc of page) {
      for (const { object, shared } of objectsOf(toItem(doc), ctx.org)) {
        if (written.has(object.id)) continue;
        if (shared) written.add(object.id);
        yield separator + JSON.stringify(object);
        separator = ',\n';
      }
    }
  }
  yield ']}';
}
