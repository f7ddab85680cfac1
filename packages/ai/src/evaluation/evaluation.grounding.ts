import type { EvaluationContent, ProblemDetail, SessionQuote } from '@muster/contracts';
import type { SessionRecord } from '../sessions/record.ts';

type EvaluationClaims = Pick<EvaluationContent, 'strengths' | 'improvements' | 'objective_ratings'>;

/**
 * What an evaluation claims that the session does not hold, whoever wrote it: quotes that nobody said, objectives and
 * gaps that are not there, an objective rated twice.
 * @returns one entry for each, `path` being its JSON pointer inside the evaluation
 */
export function evaluationProblems(
  written: EvaluationClaims,
  { session, scenario, scores }: SessionRecord,
): ProblemDetail[] {
  const said = Map.groupBy(session.responses, ({ inject_id }) => inject_id);
  const objectives = new Set(scenario.objectives.map(({ id }) => id));
  const gaps = new Set(scores.gaps.map(({ id }) => id));
  const found: ProblemDetail[] = [];
  const miss = (path: string, code: string, message: string) => found.push({ path, code, message });

  const quotes = (at: string, evidence: readonly SessionQuote[]) => {
    for (const [index, { inject_id, quote }] of evidence.entries()) {
      const texts = said.get(inject_id) ?? [];
      if (texts.some(({ decision, notes }) => decision.includes(quote) || notes.includes(quote))) continue;
      miss(
        `${at}/evidence/${index}/quote`,
        'not_in_session',
        `nobody said or noted this at inject "${inject_id}"`,
      );
    }
  };
  for (const [at, { evidence }] of written.strengths.entries()) quotes(`/strengths/${at}`, evidence);
  for (const [at, { gap_ids }] of written.improvements.entries()) {
    for (const [index, id] of gap_ids.entries()) {
      if (!gaps.has(id))
        miss(`/improvements/${at}/gap_ids/${index}`, 'unknown_gap', `the session has no gap "${id}"`);
    }
  }
  const rated = new Set<string>();
  for (const [at, { objective_id, evidence }] of written.objective_ratings.entries()) {
    const path = `/objective_ratings/${at}`;
    if (!objectives.has(objective_id))
      miss(`${path}/objective_id`, 'unknown_objective', `the scenario has no objective "${objective_id}"`);
    if (rated.has(objective_id)) miss(`${path}/objective_id`, 'duplicate', 'this objective is rated twice');
    rated.add(objective_id);
    quotes(path, evidence);
  }
  return found;
}

/** What is asked of our own model beyond that: strengths with quotes, owners and controls of the scenario. */
export function modelEvaluationProblems(written: EvaluationContent, record: SessionRecord): string[] {
  const roles = new Set(record.scenario.roles.map(({ id }) => id));
  const controls = new Set(
    record.scenario.objectives.flatMap((objective) =>
      objective.controls.map(({ framework, control }) => `${framework} ${control}`),
    ),
  );
  return [
    ...evaluationProblems(written, record).map(({ path, message }) => `${path}: ${message}`),
    ...written.strengths.flatMap(({ evidence }, at) =>
      evidence.length === 0 ? [`/strengths/${at}/evidence: quote the words of the session that show it`] : [],
    ),
    ...written.improvements.flatMap(({ owner_role, controls: named }, at) => [
      ...(roles.has(owner_role)
        ? []
        : [`/improvements/${at}/owner_role: the scenario has no role "${owner_role}"`]),
      ...named
        .filter(({ framework, control }) => !controls.has(`${framework} ${control}`))
        .map(({ control }) => `/improvements/${at}/controls: no objective names the control "${control}"`),
    ]),
  ];
}
