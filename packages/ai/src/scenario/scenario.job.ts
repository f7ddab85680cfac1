import { type ScenarioContent, scenarioContent, scenarioProblems } from '@muster/contracts';
import type { Job } from '../jobs/job.ts';
import type { IntelSource, ScenarioInput } from './intel.ts';
import { scenarioByRules } from './scenario.rules.ts';
import { techniquesOf } from './setting.rules.ts';

const FEWEST_INJECTS = 8;

const TASK = `Write a tabletop exercise scenario from a piece of threat intelligence, fit for a professional facilitator to run as it is. A draft made by rule is part of the material: keep its structure, make it better.
- 8 to 14 injects in the order of their "offset_minutes", the last one within "duration_minutes"; at least one of type "contingency" with "only_if" and one of type "complexity".
- Two to four "expected_actions" for each inject, with weight 1 to 3, target_minutes and at least three keywords in lower case: short alternatives by which a table's words are recognised. Fewer than half of all actions are critical.
- Techniques only from the list "techniques", each used in an inject. Actors and malware only from the item.
- The organization's systems, roles and duties come from the profile; without a profile stay neutral. Name no real person, and no address, host or customer of the report.
- "facilitator_notes" tell what to look for and contain "Red flags: ".`;

export const scenarioJob: Job<ScenarioInput, ScenarioContent> = {
  name: 'write-scenario',
  schema: scenarioContent,
  rules: scenarioByRules,
  prompt: (input) => ({
    task: TASK,
    material: {
      item: itemMaterial(input.item),
      techniques: techniquesOf(input.item),
      profile: input.profile ?? null,
      wish: input.wish ?? {},
      draft: scenarioByRules(input),
    },
  }),
  problems: generatedProblems,
  names: () => [],
  max_output_tokens: 16_000,
};

/** What a model needs of an item: no addresses, no source text. */
function itemMaterial({
  title,
  summary,
  publisher,
  published_at,
  actors,
  malware,
  techniques,
  cves,
  sectors,
}: IntelSource) {
  return { title, summary, publisher, published_at, actors, malware, techniques, cves, sectors };
}

/** Where a generated scenario does not hold together, or says more than the item and the wish. */
export function generatedProblems(written: ScenarioContent, { item, wish }: ScenarioInput): string[] {
  const allowed = new Set(techniquesOf(item));
  const used = [...written.threat.techniques, ...written.injects.flatMap(({ techniques }) => techniques)];
  return [
    ...scenarioProblems(written).map(({ path, message }) => `${path}: ${message}`),
    ...[...new Set(used)]
      .filter((id) => !allowed.has(id))
      .map((id) => `the item does not name the technique "${id}"`),
    ...(written.injects.length < FEWEST_INJECTS ? [`/injects: at least ${FEWEST_INJECTS} are needed`] : []),
    ...written.injects.flatMap(({ expected_actions }, at) =>
      expected_actions.length === 0 ? [`/injects/${at}/expected_actions: what should the table do?`] : [],
    ),
    ...(wish?.difficulty && written.difficulty !== wish.difficulty
      ? [`/difficulty: must be "${wish.difficulty}"`]
      : []),
    ...(wish?.duration_minutes && written.duration_minutes !== wish.duration_minutes
      ? [`/duration_minutes: must be ${wish.duration_minutes}`]
      : []),
  ];
}
