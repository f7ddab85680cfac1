import { type EvaluationContent, evaluationContent } from '@muster/contracts';
import type { Job } from '../jobs/job.ts';
import { namesOf, sessionMaterial } from '../sessions/material.ts';
import type { SessionRecord } from '../sessions/record.ts';
import { modelEvaluationProblems } from './evaluation.grounding.ts';
import { evaluateByRules } from './evaluation.rules.ts';

const TASK = `Evaluate a security tabletop exercise for its after-action report.
- "summary": what happened, how well, and what matters most, for a reader who was not there; five sentences at most.
- "strengths": what the table did well. Each quotes the words that show it.
- "improvements": the improvement plan. Group gaps of one cause into one row; at most ten rows. Recommend something concrete that names roles, systems and actions of the scenario. "element" is what has to change (planning, organization, equipment, training, exercise), "owner_role" the id of a role of the scenario, "gap_ids" the ids of the gaps it closes, "controls" controls of the objectives concerned. P1 is for critical gaps.
- "objective_ratings": one for each objective. P performed without challenges, S with some, M with major ones, U unable to be performed. Follow the scores unless the words of the table show otherwise, and say why. Without words to quote the rating is null and the evidence empty.
Every quote is copied letter for letter from one decision or note, of the inject that it names, 300 characters at most. Invent nothing.`;

export const evaluationJob: Job<SessionRecord, EvaluationContent> = {
  name: 'evaluate-session',
  schema: evaluationContent,
  rules: evaluateByRules,
  prompt: (record) => ({ task: TASK, material: sessionMaterial(record) }),
  problems: modelEvaluationProblems,
  names: namesOf,
  max_output_tokens: 6000,
};
