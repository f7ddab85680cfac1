import type { SessionRecord } from '@muster/ai';
import type { Evaluation, Report, SessionQuote } from '@muster/contracts';

type Result = Report['objectives'][number];
type Strength = Result['strengths'][number];

const MOST_QUOTES = 3;

/**
 * How each objective went: its rating, what was good and what was not, with the words that show it.
 * @param quotes what was said at each inject that showed an action, by inject id
 */
export function objectiveResults(
  { session, scenario, scores }: SessionRecord,
  evaluation: Evaluation | null,
  quotes: ReadonlyMap<string, SessionQuote[]>,
): Result[] {
  return scenario.objectives.map(({ id, title, capability, controls }) => {
    const score = scores.objectives.find((objective) => objective.id === id);
    const evaluated = evaluation?.objective_ratings.find(({ objective_id }) => objective_id === id);
    const injects = new Set(
      scenario.injects.filter(({ objective_ids }) => objective_ids.includes(id)).map((inject) => inject.id),
    );
    return {
      id,
      title,
      capability,
      controls,
      score: score?.score ?? null,
      rating: score?.rating ?? null,
      rating_source: score?.rating_source ?? 'computed',
      evaluated: evaluated
        ? { rating: evaluated.rating, rationale: evaluated.rationale, evidence: evaluated.evidence }
        : null,
      strengths: strengthsOf(scores, evaluation, { injects, quotes }),
      improvements: scores.gaps
        .filter((gap) => gap.objective_id === id)
        .map(({ id: gap, title, detail, severity }) => ({ id: gap, title, detail, severity })),
      observations: session.observations
        .filter(({ objective_id }) => objective_id === id)
        .map(({ rating, note, observer }) => ({ rating, note, observer })),
    };
  });
}

/** Those of the evaluation whose words belong to the objective's injects, else those that the scores found there. */
function strengthsOf(
  scores: SessionRecord['scores'],
  evaluation: Evaluation | null,
  { injects, quotes }: { injects: ReadonlySet<string>; quotes: ReadonlyMap<string, SessionQuote[]> },
): Strength[] {
  const written = evaluation?.strengths.filter(({ evidence }) =>
    evidence.some(({ inject_id }) => injects.has(inject_id)),
  );
  if (written && written.length > 0) return written.map(({ text, evidence }) => ({ text, evidence }));
  return scores.strengths
    .filter(({ inject_id }) => injects.has(inject_id))
    .map(({ title, inject_id }) => ({
      text: title,
      evidence: (quotes.get(inject_id) ?? []).slice(0, MOST_QUOTES),
    }));
}

/** The words that showed actions, by the inject they were said at. */
export function evidenceOf({ scores }: SessionRecord): Map<string, SessionQuote[]> {
  return new Map(
    scores.injects.map(({ id, evidence }) => [
      id,
      [...new Set(evidence.map(({ quote }) => quote))].map((quote) => ({ inject_id: id, quote })),
    ]),
  );
}
