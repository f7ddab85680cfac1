import type { Scenario, ScenarioContent, ScenarioSummary } from '@muster/contracts';
import { collection, list, Mixed, type RowOf, repository, required } from '@muster/service-kit';

export const scenarioCollection = collection({
  name: 'scenarios',
  shared: true,
  fields: {
    filename: required(String),
    /** The author's content; the fields below repeat what lists filter and show. */
    content: required<ScenarioContent>(Mixed),
    title: required(String),
    summary: required(String),
    category: required<Scenario['category']>(String),
    difficulty: required<Scenario['difficulty']>(String),
    duration_minutes: required(Number),
    injects: required(Number),
    objectives: required(Number),
    industries: list(String),
    techniques: list(String),
    search_text: required(String),
    source: required<Scenario['source']>(String),
    content_hash: required(String),
    created_by: required(String),
    created_at: required(Date),
    updated_at: required(Date),
  },
  indexes: [
    [{ org_id: 1, filename: 1 }, { unique: true }],
    [{ org_id: 1, _id: -1 }],
    [{ org_id: 1, category: 1, _id: -1 }],
    [{ org_id: 1, techniques: 1, _id: -1 }],
  ],
});
export type ScenarioDoc = RowOf<typeof scenarioCollection>;

export const scenarios = repository(scenarioCollection);

/** The fields that a list shows. */
export const summaryProjection = { content: 0, search_text: 0 } as const;

export function toScenario(doc: ScenarioDoc): Scenario {
  const { filename, content, source, content_hash, created_by } = doc;
  return {
    ...content,
    filename,
    source,
    content_hash,
    created_by,
    created_at: doc.created_at.toISOString(),
    updated_at: doc.updated_at.toISOString(),
  };
}

export function toSummary(doc: ScenarioDoc): ScenarioSummary {
  const {
    filename,
    title,
    summary,
    category,
    difficulty,
    duration_minutes,
    injects,
    objectives,
    techniques,
    source,
  } = doc;
  const updated_at = doc.updated_at.toISOString();
  return {
    filename,
    title,
    summary,
    category,
    difficulty,
    duration_minutes,
    injects,
    objectives,
    techniques,
    source,
    updated_at,
  };
}
