import type { Capability, Inject, ScenarioContent } from '@muster/contracts';
import { LOOKING_AHEAD, LOOKING_BACK, QUESTIONS } from './questions.data.ts';

/** A part of the play as the players' manual tells it. */
export interface Module {
  title: string;
  /** Minutes of play. */
  from: number;
  to: number;
  minutes: number;
  /** What has happened when it begins; only the first module tells it, the rest comes to the table by itself. */
  opening: Inject | null;
  questions: string[];
}

const TITLES = ['The first signals', 'The situation grows', 'The way back'] as const;
/** Shorter exercises are played in one go. */
const SHORTEST_MODULE = 15;

/**
 * The play in up to three modules of equal length. Their questions are about the abilities that each module's injects
 * try, in words that give nothing of the injects away; those of the opening inject, which players read, come as written.
 */
export function modulesOf(scenario: ScenarioContent): Module[] {
  const { duration_minutes } = scenario;
  const count = Math.min(TITLES.length, Math.max(1, Math.floor(duration_minutes / SHORTEST_MODULE)));
  const length = duration_minutes / count;
  const opening = openingOf(scenario);
  const all = questionsAbout(capabilitiesOf(scenario, scenario.injects));
  const share = Math.ceil(all.length / count);
  const asked = new Set<string>();
  return TITLES.slice(0, count).map((title, at) => {
    const [from, to] = [Math.round(at * length), Math.round((at + 1) * length)];
    const last = at === count - 1;
    const own = scenario.injects.filter(
      ({ offset_minutes }) => offset_minutes >= from && (last || offset_minutes < to),
    );
    const inject = at === 0 ? opening : null;
    const general = [...questionsAbout(capabilitiesOf(scenario, own)), ...all];
    const fresh = [...new Set(general)].filter((one) => !asked.has(one)).slice(0, share);
    for (const question of fresh) asked.add(question);
    const first = at === 0 ? (inject?.discussion_questions ?? []) : LOOKING_BACK;
    return {
      title: count === 1 ? 'The incident' : title,
      from,
      to,
      minutes: to - from,
      opening: inject,
      questions: [...first, ...fresh, ...(last ? LOOKING_AHEAD : [])],
    };
  });
}

const questionsAbout = (capabilities: readonly Capability[]) =>
  capabilities.flatMap((capability) => QUESTIONS[capability]);

/** The inject that everybody meets first: never one that depends on what the table does. */
function openingOf({ injects }: ScenarioContent): Inject | null {
  return (
    injects
      .filter(({ type, only_if }) => type === 'standard' && !only_if)
      .toSorted((one, other) => one.offset_minutes - other.offset_minutes)[0] ?? null
  );
}

/** What a module tries, the most often tried first; all that the exercise does, where it tries nothing in particular. */
function capabilitiesOf({ objectives }: ScenarioContent, injects: readonly Inject[]): Capability[] {
  const served = injects.flatMap(({ objective_ids }) =>
    objectives.filter(({ id }) => objective_ids.includes(id)).map(({ capability }) => capability),
  );
  const all = served.length > 0 ? served : objectives.map(({ capability }) => capability);
  const counts = new Map([...Map.groupBy(all, (one) => one)].map(([one, those]) => [one, those.length]));
  return [...counts.keys()].sort((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0));
}
