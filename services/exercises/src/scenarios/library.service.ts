import { readFileSync } from 'node:fs';
import { type ScenarioContent, scenarioContent } from '@muster/contracts';
import { createContext, type Runtime, SHARED_ORG, systemActor } from '@muster/service-kit';
import { libraryFiles } from './library.model.ts';
import { scenarios } from './scenario.model.ts';
import { scenarioDoc } from './scenario.service.ts';

export interface BuiltIn {
  filename: string;
  content: ScenarioContent;
}

/** Raises when a file does not follow the contract. */
function readLibrary(): BuiltIn[] {
  return libraryFiles().map((file) => {
    const { filename, ...content } = JSON.parse(readFileSync(file, 'utf8'));
    return { filename, content: scenarioContent.parse(content) };
  });
}

/** The scenarios that come with the product, read once. */
export const library: readonly BuiltIn[] = readLibrary();

/** Stores the built-in scenarios that are new or changed; harmless in several replicas at once. */
export async function seedLibrary(runtime: Runtime): Promise<void> {
  const ctx = createContext(runtime, {
    actor: systemActor(SHARED_ORG, 'exercises'),
    signal: AbortSignal.timeout(60_000),
  });
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
