import { collection, type Stored } from '../mongo/model.ts';
import { repository } from '../mongo/repository.ts';

/** The tokens that an organization has spent or set aside in one calendar month (UTC); `_id` is `<org>.<yyyy-mm>`. */
interface AiBudgetDoc extends Stored {
  tokens: number;
}

/** One job that was done for an organization, by a model or by rule. */
interface AiCallDoc extends Stored {
  job: string;
  engine: 'rules' | 'llm';
  model: string | null;
  input_tokens: number;
  output_tokens: number;
  /** US dollars; null where the model's price is not known. */
  cost_usd: number | null;
  ms: number;
  /** Why rules stood in for the model; null where they did not. */
  degraded: string | null;
  at: Date;
}

const KEPT_S = 400 * 24 * 60 * 60;
const required = <T>(type: T) => ({ type, required: true });

const aiBudgetCollection = collection<AiBudgetDoc>({
  name: 'ai_budgets',
  fields: { tokens: required(Number) },
  indexes: [],
});
export const aiBudgets = repository(aiBudgetCollection);

const aiCallCollection = collection<AiCallDoc>({
  name: 'ai_calls',
  fields: {
    job: required(String),
    engine: required(String),
    model: { type: String, default: null },
    input_tokens: required(Number),
    output_tokens: required(Number),
    cost_usd: { type: Number, default: null },
    ms: required(Number),
    degraded: { type: String, default: null },
    at: required(Date),
  },
  indexes: [[{ org_id: 1, at: -1 }], [{ at: 1 }, { expireAfterSeconds: KEPT_S }]],
});
export const aiCalls = repository(aiCallCollection);

/** What a service that asks an engine keeps. */
export const aiCollections = [aiBudgetCollection, aiCallCollection] as const;
