import type { Ctx } from '@muster/service-kit';
import { library } from './library.service.ts';
import { scenarios } from './scenario.model.ts';
import { scenarioDoc } from './scenario.service.ts';

/** Stores the built-in scenarios that are new or changed; harmless in several replicas at once. */
export async function seedLibrary(ctx: Ctx): Promise<void> {
  for (const { filename, content } of library) {
    const { _id, created_at, ...doc } = scenarioDoc(content, {
      filename,
      source: 'builtin',
      createdBy: 'Muster',
    });
    const present = await scenarios(ctx).findOne({ filename }, { projection: { content_hash: 1 } });
    if (present?.content_hash === doc.content_hash) continue;
    await scenarios(ctx).updateOne(
      { filename },
      { $set: doc, $setOnInsert: { _id, created_at } },
      { upsert: true },
    );
  }
}
