import type { intelItemsApi } from '@muster/contracts';
import { type Handlers, noContent, ok, queued, rendition } from '@muster/service-kit';
import { exportItem, exportItems } from './export.service.ts';
import { itemIngest } from './item.jobs.ts';
import { correctItem, itemDetail, listItems, removeItem } from './item.service.ts';

const STIX = 'application/stix+json';
const versionOf = ({ version }: { version: number }) => ({ etag: String(version) });

export const itemHandlers: Handlers<typeof intelItemsApi> = {
  ingestIntel: async (ctx, { body }) => queued(await ctx.enqueue(itemIngest, body)),
  listIntel: async (ctx, { query }) => ok(await listItems(ctx, query)),
  exportIntel: async (ctx, { query }) =>
    rendition(STIX, exportItems(ctx, query), { filename: 'threat-intelligence.stix.json' }),
  getIntel: async (ctx, { params }) => {
    const detail = await itemDetail(ctx, params.id);
    return ok(detail, versionOf(detail));
  },
  exportIntelItem: async (ctx, { params }) => {
    const { content, version } = await exportItem(ctx, params.id);
    return rendition(STIX, content, { ...versionOf({ version }), filename: `intel-${params.id}.stix.json` });
  },
  correctIntel: async (ctx, { params, body, requireMatch }) => {
    const detail = await correctItem(ctx, params.id, body, requireMatch);
    return ok(detail, versionOf(detail));
  },
  removeIntel: async (ctx, { params, requireMatch }) => {
    await removeItem(ctx, params.id, requireMatch);
    return noContent();
  },
};
