import type { Capability, ScenarioContent } from '@muster/contracts';
import { bare, clipped, counted, duration, inside, listed, paragraph, upperFirst } from '../prose/prose.ts';
import type { Deed } from '../sessions/deeds.rules.ts';
import { roleName } from '../sessions/owners.rules.ts';
import type { Cause } from './causes.rules.ts';

/** The document in which an organization writes down what it does about each capability. */
export const DOCUMENTS: Readonly<Record<Capability, string>> = {
  governance: 'incident response policy',
  risk_awareness: 'awareness programme',
  identity_access: 'account and access procedure',
  detection: 'alert handling procedure',
  analysis: 'investigation procedure',
  communication: 'crisis communication plan',
  containment: 'containment runbook',
  eradication: 'eradication runbook',
  recovery: 'recovery plan',
  decision_making: 'decision guide for incidents',
  regulatory: 'notification procedure',
  third_party: 'procedure for incidents at suppliers',
};

const MOST_ACTIONS = 4;
const LONGEST_ACTION = 140;
const LONGEST_WORDS = 160;

export interface Advice {
  title: string;
  recommendation: string;
}

/** A corrective action for deeds of one cause and capability, in the scenario's own names; `owner` is a role id. */
export function adviceFor(
  cause: Cause,
  capability: Capability,
  deeds: readonly Deed[],
  owner: string,
  scenario: ScenarioContent,
): Advice {
  const given = { deeds, capability, owner: roleName(scenario, owner), scenario };
  return ADVICE[cause](given);
}

interface Situation {
  deeds: readonly Deed[];
  capability: Capability;
  /** By name. */
  owner: string;
  scenario: ScenarioContent;
}

const ADVICE: Readonly<Record<Cause, (given: Situation) => Advice>> = {
  slow: ({ deeds, owner }) => ({
    title: `Get faster: ${subject(deeds)}`,
    recommendation: paragraph([
      `Drill with the ${owner} until the targets are met: ${actionList(deeds, timeNote)}`,
      `Start the drill from ${triggers(deeds)}, first with the checklist on the table, then without it`,
      'Record the minutes of every run, and ask what cost the time: reaching people, deciding, or the work itself',
    ]),
  }),
  absent: ({ deeds, owner, scenario }) => ({
    title: `Name a deputy for ${listed(addressees(deeds, scenario), 3)}`,
    recommendation: paragraph([
      `Nobody at the table held ${plural(addressees(deeds, scenario), 'the role')} that ${triggers(deeds)} went to, so this was missed: ${actionList(deeds)}`,
      'Name a holder and a deputy, with the authority that the role needs and a way to reach them out of hours',
      `Until then the ${owner} answers for it; put both to the next exercise`,
    ]),
  }),
  unable: ({ deeds, owner }) => ({
    title: `Provide the means: ${subject(deeds)}`,
    recommendation: paragraph([
      `Give the ${owner} what is needed to ${actionList(deeds)}`,
      quoteNote(deeds),
      'Decide on the tool or the access, test it under the conditions of the scenario, and write down where it is and who may use it',
    ]),
  }),
  undecided: ({ deeds, owner, capability }) => ({
    title: `Settle who decides: ${subject(deeds)}`,
    recommendation: paragraph([
      quoteNote(deeds) ?? `The table spoke of it without doing it`,
      `Write into the ${DOCUMENTS[capability]} that the ${owner} decides, on which facts and by when, to ${actionList(deeds, targetNote)}`,
      'Name a deputy for the decision, and what may be done before it is taken',
    ]),
  }),
  not_reached: ({ deeds, owner }) => ({
    title: `Exercise what was not reached: ${subject(deeds)}`,
    recommendation: paragraph([
      `Play ended before ${triggers(deeds)}, so nothing shows that the organization can ${actionList(deeds, targetNote)}`,
      `Run this part again with the ${owner} in charge, as an exercise of its own of an hour or less`,
    ]),
  }),
  unanswered: ({ deeds, owner, capability, scenario }) => ({
    title: `Assign an answer: ${subject(deeds)}`,
    recommendation: paragraph([
      `${upperFirst(triggers(deeds))} ${new Set(deeds.map(({ inject }) => inject.id)).size > 1 ? 'were' : 'was'} left without an answer while later ones were taken up`,
      `Add to the ${DOCUMENTS[capability]} that the ${owner} takes such a message on, and will ${actionList(deeds, targetNote)}`,
      otherRoles(deeds, owner, scenario),
    ]),
  }),
  unwritten: ({ deeds, owner, capability, scenario }) => ({
    title: `Add to the ${DOCUMENTS[capability]}: ${subject(deeds)}`,
    recommendation: paragraph([
      `Write into the ${DOCUMENTS[capability]}, as a task of the ${owner}: ${actionList(deeds, targetNote)}`,
      `What sets it off is a message like ${triggers(deeds)}`,
      criticalNote(deeds),
      otherRoles(deeds, owner, scenario),
    ]),
  }),
  untrained: ({ deeds, owner, capability }) => ({
    title: `Train: ${subject(deeds)}`,
    recommendation: paragraph([
      `Faced with ${triggers(deeds)}, the table did not think of it. Train the ${owner} to ${actionList(deeds, targetNote)}`,
      `Put it on the checklist of the ${DOCUMENTS[capability]}, and have it done once for real, on the systems concerned`,
    ]),
  }),
};

/** The heaviest action in a few words, and how many more there are. */
function subject(deeds: readonly Deed[]): string {
  const first = clipped(inside(deeds[0]?.action.text ?? ''), LONGEST_ACTION);
  return deeds.length > 1 ? `${first}, and ${counted(deeds.length - 1, 'more action')}` : first;
}

function actionList(deeds: readonly Deed[], note: (deed: Deed) => string = () => ''): string {
  const texts = deeds.map((deed) => `${clipped(inside(deed.action.text), LONGEST_ACTION)}${note(deed)}`);
  const rest = texts.length - MOST_ACTIONS;
  const shown = texts.slice(0, MOST_ACTIONS).join('; ');
  return rest > 0 ? `${shown}; and ${counted(rest, 'more action')} of the same kind` : shown;
}

function targetNote({ action }: Deed): string {
  return action.target_minutes ? ` (within ${duration(action.target_minutes)})` : '';
}

function timeNote({ action, minutes }: Deed): string {
  if (minutes === null || !action.target_minutes) return '';
  return ` (took ${duration(minutes)}, target ${duration(action.target_minutes)})`;
}

function triggers(deeds: readonly Deed[]): string {
  return listed([...new Set(deeds.map(({ inject }) => `“${bare(inject.title)}”`))], 3);
}

/** What the table said of the first action that it spoke of. */
function quoteNote(deeds: readonly Deed[]): string | null {
  const deed = deeds.find(({ quote }) => quote);
  if (!deed?.quote) return null;
  return `At “${bare(deed.inject.title)}” the table said: “${clipped(bare(deed.quote.quote), LONGEST_WORDS)}”`;
}

function criticalNote(deeds: readonly Deed[]): string | null {
  const grave = deeds.filter(({ action }) => action.critical);
  if (grave.length === 0) return null;
  const which =
    grave.length === deeds.length
      ? 'It is'
      : `${counted(grave.length, 'action')} of these ${grave.length === 1 ? 'is' : 'are'}`;
  return `${which} critical: say who may order it at any hour, and who does when that person cannot be reached`;
}

function addressees(deeds: readonly Deed[], scenario: ScenarioContent): string[] {
  return [...new Set(deeds.flatMap(({ inject }) => inject.to))].map((id) => roleName(scenario, id));
}

/** Who else was asked and has to know of it. */
function otherRoles(deeds: readonly Deed[], owner: string, scenario: ScenarioContent): string | null {
  const rest = addressees(deeds, scenario).filter((name) => name !== owner);
  return rest.length > 0 ? `Walk through it with the ${listed(rest, 3)} before it is tested again` : null;
}

const plural = (names: readonly string[], phrase: string) => (names.length > 1 ? `${phrase}s` : phrase);
