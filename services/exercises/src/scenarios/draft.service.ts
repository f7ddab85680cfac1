import { type Scenario, type ScenarioContent, scenarioProblems } from '@muster/contracts';
import type { Ctx } from '@muster/service-kit';
import { scenarios } from './scenario.model.ts';
import { publish, scenarioDoc } from './scenario.service.ts';

/** A scenario that another service wrote. */
export interface Draft {
  /** Becomes the scenario's own id, by which its writer knows it again. */
  id: string;
  /** The name it is meant to have. */
  filename: string;
  content: ScenarioContent;
  source: Scenario['source'];
  created_by: string;
}

/**
 * Takes a draft into the library, under its name or the next free one (`-2` …), and tells the others. A draft that was
 * taken before changes nothing; one that does not hold together is left out, and the log says why. Needs a transaction.
 */
export async function takeDraft(ctx: Ctx, draft: Draft): Promise<void> {
  const { id: _id, content, source, created_by: createdBy } = draft;
  if (await scenarios(ctx).findOne({ _id }, { projection: { _id: 1 } })) return;
  const problems = scenarioProblems(content);
  if (problems.length > 0) {
    ctx.log.error({ draft: _id, source, problems }, 'a draft of a scenario was refused');
    return;
  }
  const filename = await freeName(ctx, draft.filename);
  const doc = { ...scenarioDoc(content, { filename, source, createdBy }), _id };
  await publish(ctx, await scenarios(ctx).insert(doc));
}

/** Leaves room for a number within the 80 characters of a name. */
const LONGEST_BASE = 76;

/** Also built-in scenarios hold their names. */
async function freeName(ctx: Ctx, wanted: string): Promise<string> {
  const base = wanted.replace(/\.json$/, '').slice(0, LONGEST_BASE);
  for (let number = 1; ; number += 1) {
    const filename = number === 1 ? wanted : `${base}-${number}.json`;
    if (!(await scenarios(ctx).findOne({ filename }, { projection: { _id: 1 } }))) return filename;
  }
}
