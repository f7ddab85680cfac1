import { DAY_SECONDS } from '@muster/contracts';
import { nullable, required } from '../mongo/fields.ts';
import { collection } from '../mongo/model.ts';
import { repository } from '../mongo/repository.ts';

const KEPT_S = 400 * DAY_SECONDS;

/** The tokens that an organization has spent or set aside in one calendar month (UTC); `_id` is `<org>.<yyyy-mm>`. */
const aiBudgetCollection = collection({
  name: 'ai_budgets',
  fields: {
    tokens: required(Number),
  },
  indexes: [],
});
export const aiBudgets = repository(aiBudgetCollection);

/** One job that was done for an organization, by a model or by rule. */
const aiCallCollection = collection({
  name: 'ai_calls',
  fields: {
    job: required(String),
    engine: required<'rules' | 'llm'>(String),
    model: nullable(String),
    input_tokens: required(Number),
    output_tokens: required(Number),
    /** US dollars; null where the model's price is not known. */
    cost_usd: nullable(Number),
    ms: required(Number),
    /** Why rules stood in for the model; null where they did not. */
    degraded: nullable(String),
    at: required(Date),
  },
  indexes: [[{ org_id: 1, at: -1 }], [{ at: 1 }, { expireAfterSeconds: KEPT_S }]],
});
export const aiCalls = repository(aiCallCollection);

/** What a service that asks an engine keeps. */
export const aiCollections = [aiBudgetCollection, aiCallCollection] as const;
