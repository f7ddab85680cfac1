import type { EvaluationContent, RegulatoryClock } from '@muster/contracts';
import { bare, clipped, counted, duration, inside, listed, paragraph } from '../prose/prose.ts';
import { type Deed, deedsOf } from '../sessions/deeds.rules.ts';
import type { SessionRecord } from '../sessions/record.ts';
import { improvementsOf } from './improvements.rules.ts';
import { ratingsOf } from './ratings.rules.ts';

const MOST_STRENGTHS = 6;
const MOST_QUOTES = 3;
const LONGEST_ACTION = 120;
const RATING_WORDS = {
  P: 'performed without challenges',
  S: 'performed with some challenges',
  M: 'performed with major challenges',
  U: 'unable to be performed',
} as const;

/** Evaluates a completed session by rule: the same session gives the same words, and every claim stands in it. */
export function evaluateByRules(record: SessionRecord): EvaluationContent {
  const deeds = deedsOf(record);
  const improvements = improvementsOf(record, deeds);
  return {
    summary: summaryOf(record, deeds, improvements),
    strengths: strengthsOf(deeds),
    improvements,
    objective_ratings: ratingsOf(record, deeds),
  };
}

/** What the table did in time and in its own words, inject by inject, the weightiest first. */
function strengthsOf(deeds: readonly Deed[]): EvaluationContent['strengths'] {
  const good = deeds.filter(({ outcome, quote }) => outcome === 'performed' && quote);
  const byInject = [...Map.groupBy(good, ({ inject }) => inject.id).values()];
  const weight = (group: readonly Deed[]) =>
    group.reduce((sum, { action }) => sum + action.weight * (action.critical ? 2 : 1), 0);
  return byInject
    .sort((one, other) => weight(other) - weight(one))
    .slice(0, MOST_STRENGTHS)
    .map((group) => {
      const heaviest = group.toSorted((one, other) => other.action.weight - one.action.weight);
      const quotes = new Map(heaviest.flatMap(({ quote }) => (quote ? [[quote.quote, quote]] : [])));
      return {
        text: `“${bare(group[0]?.inject.title ?? '')}”: in time to ${listed(heaviest.map(actionLine), 3)}.`,
        evidence: [...quotes.values()].slice(0, MOST_QUOTES),
      };
    });
}

function actionLine({ action, minutes }: Deed): string {
  const text = clipped(inside(action.text), LONGEST_ACTION);
  if (minutes === null) return text;
  const target = action.target_minutes ? `, target ${duration(action.target_minutes)}` : '';
  return `${text} (after ${duration(minutes)}${target})`;
}

function summaryOf(
  { session, scenario, scores }: SessionRecord,
  deeds: readonly Deed[],
  improvements: EvaluationContent['improvements'],
): string {
  const of = (outcome: Deed['outcome']) => deeds.filter((deed) => deed.outcome === outcome);
  const [performed, late, missed] = [of('performed'), of('late'), of('missed')];
  const applied = performed.length + late.length + missed.length;
  const table =
    session.participants.length > 0
      ? `${counted(session.participants.length, 'participant')} played`
      : 'The table played';
  if (applied === 0)
    return `${table} “${bare(scenario.title)}”. No action was expected of it, so there is nothing to evaluate.`;
  const critical = missed.filter(({ action }) => action.critical);
  const unanswered = scores.injects.filter(({ applied, timing }) => applied && timing === 'unanswered');
  return paragraph([
    `${table} “${bare(scenario.title)}” and took ${performed.length + late.length} of ${counted(applied, 'expected action')}${late.length > 0 ? `, ${late.length} of them late` : ''}: ${scores.overall} of 100, rating ${scores.rating} (${RATING_WORDS[scores.rating]}), maturity level ${scores.maturity_level}`,
    extremes(scores),
    critical.length > 0 ? `Missed although critical: ${texts(critical)}` : null,
    unanswered.length > 0 ? `${counted(unanswered.length, 'inject')} had no answer` : null,
    ...scores.regulatory.map(clockSentence),
    improvements[0]
      ? `What would help most: ${inside(improvements[0].title)}`
      : 'No gap was found: the next exercise can be harder',
  ]);
}

function extremes({ capabilities }: SessionRecord['scores']): string | null {
  const sorted = capabilities.toSorted((one, other) => other.score - one.score);
  const [best, worst] = [sorted[0], sorted.at(-1)];
  if (!best || !worst || best.score === worst.score) return null;
  const name = ({ capability, score }: typeof best) => `${capability.replaceAll('_', ' ')} (${score})`;
  return `Strongest: ${name(best)}; weakest: ${name(worst)}`;
}

function clockSentence({ title, limit_hours, text }: RegulatoryClock): string {
  return `${title} within ${limit_hours} hours: ${text}`;
}

function texts(deeds: readonly Deed[]): string {
  return listed(deeds.map(({ action }) => clipped(inside(action.text), LONGEST_ACTION)));
}
