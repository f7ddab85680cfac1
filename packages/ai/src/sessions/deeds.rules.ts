import type {
  Exercised,
  ExpectedAction,
  Gap,
  Inject,
  InjectResponse,
  ScenarioContent,
  SessionQuote,
} from '@muster/contracts';
import { keywordsOf, readDecision } from '../evidence/evidence.rules.ts';
import { meaningOf, overlap, type Passage, passagesOf } from '../evidence/passages.rules.ts';
import { ownerOf } from './owners.rules.ts';
import type { SessionRecord } from './record.ts';

type Objective = ScenarioContent['objectives'][number];

/** What became of one expected action, and the words of the session that tell of it. */
export interface Deed {
  inject: Inject;
  action: ExpectedAction;
  /** The objectives that its inject serves, in the inject's order. */
  objectives: Objective[];
  outcome: Exercised;
  /** Response time; null where it was not done or nobody noted the time. */
  minutes: number | null;
  /** Of an action that was done, the words that show it; of one that was not, words that speak of it. */
  quote: SessionQuote | null;
  gap: Gap | null;
  /** The role, by id, that the action falls to. */
  owner: string;
}

/** One for each expected action of the scenario, in its order. Responses to unknown injects leave no trace. */
export function deedsOf({ session, scenario, scores }: SessionRecord): Deed[] {
  const responses = Map.groupBy(session.responses, (response) => response.inject_id);
  const played = new Map(scores.injects.map((inject) => [inject.id, inject]));
  const gaps = new Map(scores.gaps.map((gap) => [`${gap.inject_id}:${gap.action_id}`, gap]));
  return scenario.injects.flatMap((inject) => {
    const score = played.get(inject.id);
    const given = (responses.get(inject.id) ?? []).map((response) => readingOf(response));
    const objectives = inject.objective_ids.flatMap(
      (id) => scenario.objectives.find((objective) => objective.id === id) ?? [],
    );
    return inject.expected_actions.map((action): Deed => {
      const taken = score?.taken.includes(action.id) === true;
      const shown =
        score?.evidence.filter((one) => one.action_id === action.id).map((one) => one.quote) ?? [];
      const showing = taken ? given.filter((one) => shows(one, action, shown)) : [];
      return {
        inject,
        action,
        objectives,
        outcome: outcomeOf(score, action, taken),
        minutes: taken ? minutesOf(inject, showing) : null,
        quote: taken ? doneQuote(inject, action, showing, shown) : spokenQuote(inject, action, given),
        gap: gaps.get(`${inject.id}:${action.id}`) ?? null,
        owner: ownerOf(scenario, inject, action),
      };
    });
  });
}

interface Reading {
  response: InjectResponse;
  /** Of the decision, then of the notes; made when first asked for. */
  passages(): readonly Passage[];
}

function readingOf(response: InjectResponse): Reading {
  let passages: Passage[] | undefined;
  return {
    response,
    passages() {
      passages ??= [...passagesOf(response.decision), ...passagesOf(response.notes)];
      return passages;
    },
  };
}

function outcomeOf(
  score: SessionRecord['scores']['injects'][number] | undefined,
  action: ExpectedAction,
  taken: boolean,
): Exercised {
  if (!score?.applied) return 'not_exercised';
  if (!taken) return 'missed';
  return score.late.includes(action.id) ? 'late' : 'performed';
}

function shows({ response }: Reading, action: ExpectedAction, shown: readonly string[]): boolean {
  return response.actions.includes(action.id) || shown.some((quote) => response.decision.includes(quote));
}

/** As scoring has it: one showing without a time makes it unknown, of others the earliest counts. */
function minutesOf(inject: Inject, showing: readonly Reading[]): number | null {
  const times = showing.map(({ response }) => response.at_minutes ?? null);
  const known = times.filter((time) => time !== null);
  if (known.length < times.length || known.length === 0) return null;
  return Math.max(0, Number((Math.min(...known) - inject.offset_minutes).toFixed(6)));
}

/** The words that showed it to scoring; else the sentence that says it; else the nearest one to it. */
function doneQuote(
  inject: Inject,
  action: ExpectedAction,
  showing: readonly Reading[],
  shown: readonly string[],
): SessionQuote | null {
  const [quote] = shown;
  if (quote) return { inject_id: inject.id, quote };
  const keywords = keywordsOf(action.keywords);
  for (const { response } of showing) {
    const said = readDecision(response.decision).showing(keywords);
    if (said) return { inject_id: inject.id, quote: said };
  }
  const wanted = meaningOf([action.text, ...action.keywords].join('. '));
  const all = showing.flatMap((reading) => reading.passages());
  const nearest = all.reduce<Passage | undefined>(
    (best, one) => (best && overlap(best.stems, wanted) >= overlap(one.stems, wanted) ? best : one),
    undefined,
  );
  return nearest ? { inject_id: inject.id, quote: nearest.quote } : null;
}

/** A sentence that has all the words of one of the action's keywords, though scoring did not take it for done. */
function spokenQuote(inject: Inject, action: ExpectedAction, given: readonly Reading[]): SessionQuote | null {
  const entries = keywordsOf(action.keywords);
  const spoken = given
    .flatMap((reading) => reading.passages())
    .find(({ stems }) => entries.some((entry) => entry.every((stem) => stems.has(stem))));
  return spoken ? { inject_id: inject.id, quote: spoken.quote } : null;
}
