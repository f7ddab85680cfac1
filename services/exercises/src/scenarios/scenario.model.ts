import type { Scenario, ScenarioContent, ScenarioSummary } from '@muster/contracts';
import { collection, Mixed, repository, type Stored } from '@muster/service-kit';

export interface ScenarioDoc extends Stored {
  filename: string;
  /** The author's content; the fields below repeat what lists filter and show. */
  content: ScenarioContent;
  title: string;
  summary: string;
  category: Scenario['category'];
  difficulty: Scenario['difficulty'];
  duration_minutes: number;
  injects: number;
  objectives: number;
  industries: string[];
  techniques: string[];
  search_text: string;
  source: Scenario['source'];
  content_hash: string;
  created_by: string;
  created_at: Date;
  updated_at: Date;
}

const required = <T>(type: T) => ({ type, required: true });

export const scenarioCollection = collection<ScenarioDoc>({
  name: 'scenarios',
  shared: true,
  fields: {
    filename: required(String),
    content: required(Mixed),
    title: required(String),
    summary: required(String),
    category: required(String),
    difficulty: required(String),
    duration_minutes: required(Number),
    injects: required(Number),
    objectives: required(Number),
    industries: [String],
    techniques: [String],
    search_text: required(String),
    source: required(String),
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
