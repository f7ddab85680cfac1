import type {
  AnswerContent,
  EvaluationContent,
  PlaybookContent,
  ScenarioContent,
  TriageContent,
} from '@muster/contracts';
import { answerJob } from './answer/answer.job.ts';
import type { AnswerInput } from './answer/fact.ts';
import { evaluationJob } from './evaluation/evaluation.job.ts';
import { type CallOptions, type Outcome, run } from './jobs/run.ts';
import type { AiSettings, Fetch } from './models/settings.ts';
import { playbookJob } from './playbook/playbook.job.ts';
import type { PlaybookInput } from './playbook/playbook.rules.ts';
import type { ScenarioInput } from './scenario/intel.ts';
import { scenarioJob } from './scenario/scenario.job.ts';
import type { SessionRecord } from './sessions/record.ts';
import type { TriageInput } from './triage/event.ts';
import { triageJob } from './triage/triage.job.ts';

/** The five jobs. Each always answers: by the model that is set, or by rule. */
export interface Ai {
  evaluateSession(record: SessionRecord, options?: CallOptions): Promise<Outcome<EvaluationContent>>;
  writePlaybook(input: PlaybookInput, options?: CallOptions): Promise<Outcome<PlaybookContent>>;
  triageEvent(input: TriageInput, options?: CallOptions): Promise<Outcome<TriageContent>>;
  writeScenario(input: ScenarioInput, options?: CallOptions): Promise<Outcome<ScenarioContent>>;
  answerQuestion(input: AnswerInput, options?: CallOptions): Promise<Outcome<AnswerContent>>;
}

export interface AiOptions {
  settings: AiSettings;
  /** How a model is reached: the guarded fetch of a service. The platform's own by default. */
  fetch?: Fetch;
}

/** The port for one organization's settings. Makes no call before a job is asked for. */
export function createAi({ settings, fetch = globalThis.fetch }: AiOptions): Ai {
  const engines = { settings, fetch };
  return {
    evaluateSession: (record, options = {}) => run(evaluationJob, record, engines, options),
    writePlaybook: (input, options = {}) => run(playbookJob, input, engines, options),
    triageEvent: (input, options = {}) => run(triageJob, input, engines, options),
    writeScenario: (input, options = {}) => run(scenarioJob, input, engines, options),
    answerQuestion: (input, options = {}) => run(answerJob, input, engines, options),
  };
}
