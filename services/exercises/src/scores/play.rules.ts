import { type Decision, type Keywords, keywordsOf, readDecision } from '@muster/ai';
import type { ExpectedAction, Inject, InjectResponse, Scores } from '@muster/contracts';

/** What became of one expected action of an inject that applied. */
export interface Outcome {
  inject: Inject;
  action: ExpectedAction;
  taken: boolean;
  /** 0 for a missed action, 1 for one on time, 0.5 to 1 for a late one. */
  credit: number;
  /** Response time; null where the action was missed or nobody noted the time. */
  minutes: number | null;
  /** The sentence that showed it, where no response lists its id. */
  quote: string | null;
}

/** What the table did with one inject. */
export interface InjectPlay {
  inject: Inject;
  applied: boolean;
  answered: boolean;
  /** The earliest known response time. */
  minutes: number | null;
  timing: Scores['injects'][number]['timing'];
  /** One for each expected action; empty where the inject did not apply. */
  outcomes: Outcome[];
}

/** One response that shows one action; without a quote where it lists the id. */
interface Evidence {
  minutes: number | null;
  quote: string | null;
}

const LEAST_LATE_CREDIT = 0.5;
/** Keeps 12.3 − 10 from being 2.3000000000000007 minutes. */
const MINUTE_PRECISION = 1e6;

/**
 * How a session went, inject by inject, in the scenario's order.
 * Responses to injects that the scenario does not have, or that did not apply, leave no trace.
 */
export function playOf(injects: readonly Inject[], responses: readonly InjectResponse[]): InjectPlay[] {
  const answers = Map.groupBy(responses, (response) => response.inject_id);
  const shown = new Map(
    injects.map((inject) => [inject.id, evidenceOf(inject, answers.get(inject.id) ?? [])]),
  );
  const byId = new Map(injects.map((inject) => [inject.id, inject]));
  return injects.map((inject) => {
    if (!applies(inject, byId, shown))
      return { inject, applied: false, answered: false, minutes: null, timing: 'unanswered', outcomes: [] };
    const given = answers.get(inject.id) ?? [];
    const minutes = earliest(given.map((response) => responseMinutes(inject, response)));
    const outcomes = inject.expected_actions.map((action) =>
      outcomeOf(inject, action, shown.get(inject.id)?.get(action.id) ?? []),
    );
    const guessed = minutes === null || outcomes.some((one) => one.taken && one.minutes === null);
    const timing = given.length === 0 ? 'unanswered' : guessed ? 'unknown' : 'known';
    return { inject, applied: true, answered: given.length > 0, minutes, timing, outcomes };
  });
}

/**
 * Credit of an action taken `minutes` after its inject: 1 until the target, falling linearly to 0.5 at twice the
 * target, and staying there. Without a target or a time it is on time.
 */
export function creditOf(minutes: number | null, target: number | null | undefined): number {
  if (minutes === null || !target || minutes <= target) return 1;
  return Math.max(LEAST_LATE_CREDIT, 1 - (LEAST_LATE_CREDIT * (minutes - target)) / target);
}

/**
 * Whether an inject came up: its condition is about an action of another inject, which may have a condition itself.
 * The actions of an inject that did not come up were not taken; injects that wait for each other never come up.
 */
function applies(
  inject: Inject,
  byId: ReadonlyMap<string, Inject>,
  shown: ReadonlyMap<string, ReadonlyMap<string, Evidence[]>>,
): boolean {
  const chain: Inject[] = [];
  for (let link: Inject | undefined = inject; link; link = byId.get(link.only_if?.inject_id ?? '')) {
    if (chain.includes(link)) return false;
    chain.push(link);
  }
  return chain.reduceRight((earlierApplied, { only_if }) => {
    if (!only_if) return true;
    const taken = earlierApplied && shown.get(only_if.inject_id)?.has(only_if.action_id) === true;
    return taken === only_if.taken;
  }, false);
}

/** Every response that shows an action of the inject, by action id; actions that none shows are not in it. */
function evidenceOf(inject: Inject, responses: readonly InjectResponse[]): Map<string, Evidence[]> {
  const found = new Map<string, Evidence[]>();
  const keywords = new Map<string, Keywords>();
  const keywordsFor = (action: ExpectedAction) => {
    const known = keywords.get(action.id) ?? keywordsOf(action.keywords);
    keywords.set(action.id, known);
    return known;
  };
  for (const response of responses) {
    const minutes = responseMinutes(inject, response);
    let decision: Decision | undefined;
    for (const action of inject.expected_actions) {
      const { id } = action;
      const listed = response.actions.includes(id);
      if (!listed && response.decision === '') continue;
      if (!listed) decision ??= readDecision(response.decision);
      const quote = listed ? null : (decision?.showing(keywordsFor(action)) ?? null);
      if (!listed && quote === null) continue;
      found.set(id, [...(found.get(id) ?? []), { minutes, quote }]);
    }
  }
  return found;
}

/** The response that serves the action best times it: one without a time is on time, of others the earliest. */
function outcomeOf(inject: Inject, action: ExpectedAction, evidence: readonly Evidence[]): Outcome {
  if (evidence.length === 0) return { inject, action, taken: false, credit: 0, minutes: null, quote: null };
  const untimed = evidence.some((one) => one.minutes === null);
  const minutes = untimed ? null : earliest(evidence.map((one) => one.minutes));
  const listed = evidence.some((one) => one.quote === null);
  const quote = listed ? null : firstQuote(evidence.filter((one) => one.minutes === minutes));
  return { inject, action, taken: true, credit: creditOf(minutes, action.target_minutes), minutes, quote };
}

/** Of several responses of the same minute the alphabet decides, so that their order does not. */
function firstQuote(evidence: readonly Evidence[]): string | null {
  const quotes = evidence.flatMap((one) => (one.quote === null ? [] : [one.quote]));
  return quotes.sort((one, other) => (one < other ? -1 : 1))[0] ?? null;
}

function responseMinutes(inject: Inject, { at_minutes }: InjectResponse): number | null {
  if (at_minutes == null) return null;
  return Math.max(0, Math.round((at_minutes - inject.offset_minutes) * MINUTE_PRECISION) / MINUTE_PRECISION);
}

function earliest(minutes: readonly (number | null)[]): number | null {
  const known = minutes.filter((minute) => minute !== null);
  return known.length === 0 ? null : Math.min(...known);
}
