import {
  type Improvement,
  PHASES,
  type Phase,
  type PlaybookContent,
  type PlaybookStep,
} from '@muster/contracts';
import { evaluateByRules } from '../evaluation/evaluation.rules.ts';
import { bare, clipped, counted, paragraph } from '../prose/prose.ts';
import { type Deed, deedsOf } from '../sessions/deeds.rules.ts';
import { ownerOf } from '../sessions/owners.rules.ts';
import type { SessionRecord } from '../sessions/record.ts';
import { byStage, techniqueOf } from '../techniques/techniques.rules.ts';
import { dutySteps, plain } from './duties.rules.ts';
import { actionSteps, orderSteps, type PhaseStep, stepIdOf } from './steps.rules.ts';

export interface PlaybookInput extends SessionRecord {
  /** The evaluation's improvement plan; made by rule where there is none. */
  improvements?: readonly Improvement[];
}

const LONGEST_TITLE = 300;
const csf = (control: string) => [{ framework: 'nist-csf-2.0', control }];

/** A playbook from the scenario's expected actions, what the table did of them, and the gaps. */
export function playbookByRules(input: PlaybookInput): PlaybookContent {
  const deeds = deedsOf(input);
  const improvements = input.improvements ?? evaluateByRules(input).improvements;
  const placed = [
    ...preparationSteps(improvements),
    ...dutySteps(input),
    ...actionSteps(input, deeds),
    ...removalSteps(input, deeds),
    ...closingSteps(input),
  ];
  const needed = new Map(
    deeds.flatMap(({ inject, action }) =>
      inject.only_if?.taken
        ? [[stepIdOf(inject.id, action.id), stepIdOf(inject.only_if.inject_id, inject.only_if.action_id)]]
        : [],
    ) as [string, string][],
  );
  const weights = new Map(
    deeds.map(({ inject, action }) => [
      stepIdOf(inject.id, action.id),
      action.weight + (action.critical ? 100 : 0),
    ]),
  );
  const phases = PHASES.map((phase) => ({ phase, groups: groupsOf(placed, phase, weights) }));
  return {
    title: clipped(`Playbook: ${bare(input.scenario.title)}`, LONGEST_TITLE),
    phases: orderSteps(
      phases.filter(({ groups }) => groups.length > 0),
      needed,
    ),
  };
}

/** The steps of one phase by the inject they answer, the critical and heavy ones of each first. */
function groupsOf(
  placed: readonly PhaseStep[],
  phase: Phase,
  weights: ReadonlyMap<string, number>,
): PhaseStep[][] {
  const own = placed.filter((one) => one.phase === phase);
  const weight = ({ step }: PhaseStep) => weights.get(step.id) ?? 0;
  return [...Map.groupBy(own, ({ step }) => step.id.slice(0, step.id.lastIndexOf('.'))).values()].map(
    (group) => group.toSorted((one, other) => weight(other) - weight(one)),
  );
}

/** What has to be put right before the next incident: one step for each row of the improvement plan. */
function preparationSteps(improvements: readonly Improvement[]): PhaseStep[] {
  const used = new Map<string, number>();
  return improvements.map((row): PhaseStep => {
    const name = `prep.${row.element}.${plain(row.gap_ids.toSorted()[0] ?? row.title)}`;
    const times = (used.get(name) ?? 0) + 1;
    used.set(name, times);
    return {
      phase: 'preparation',
      free: true,
      step: {
        id: times > 1 ? `${name}.${times}` : name,
        title: row.title,
        detail: paragraph([row.recommendation, `${row.priority}, due within ${row.due_in_days} days`]),
        owner_role: row.owner_role,
        target_minutes: null,
        depends_on: [],
        gap_ids: [...row.gap_ids],
        techniques: [],
        controls: [...row.controls],
        exercised: 'not_exercised',
        measured_minutes: null,
      },
    };
  });
}

/** Where the scenario asks for no eradication: how each technique of the threat is taken out. */
function removalSteps({ scenario }: PlaybookInput, deeds: readonly Deed[]): PhaseStep[] {
  if (deeds.some(({ objectives }) => objectives.some(({ capability }) => capability === 'eradication')))
    return [];
  const ids = byStage([
    ...scenario.threat.techniques,
    ...scenario.injects.flatMap(({ techniques }) => techniques),
  ]);
  const known = Map.groupBy(ids.filter(techniqueOf), (id) => techniqueOf(id));
  return [...known].flatMap(([technique, own]): PhaseStep[] => {
    if (!technique) return [];
    const title = bare(technique.eradicate);
    return [
      {
        phase: 'eradication',
        step: {
          id: `remove.${technique.id}`,
          title,
          detail: `Against ${technique.name} (${own.join(', ')}). The scenario did not ask for it: put it to the next exercise.`,
          owner_role: ownerOf(scenario, { to: [] }, { text: `${title}, security systems servers` }),
          target_minutes: null,
          depends_on: [],
          gap_ids: [],
          techniques: own,
          controls: csf('RS.MI-02'),
          exercised: 'not_exercised',
          measured_minutes: null,
        },
      },
    ];
  });
}

function closingSteps({ scenario, scores }: PlaybookInput): PhaseStep[] {
  const owner = ownerOf(
    scenario,
    { to: [] },
    { text: 'leads the response, incident commander, decision log' },
  );
  const common = {
    owner_role: owner,
    target_minutes: null,
    depends_on: [],
    techniques: [],
    measured_minutes: null,
  };
  const debrief: PlaybookStep = {
    ...common,
    id: 'close.debrief',
    title: 'Hold a review without blame within a week, and give every improvement an owner and a date',
    detail: 'From the decision log: what was known when, what helped, what cost time.',
    gap_ids: [],
    controls: csf('ID.IM-03'),
    exercised: 'not_exercised',
  };
  if (scores.gaps.length === 0) return [{ phase: 'post_incident', step: debrief }];
  const retest: PlaybookStep = {
    ...common,
    id: 'close.retest',
    title: `Exercise again what was open: ${counted(scores.gaps.length, 'gap')} of this session`,
    detail: 'A gap closes by a later exercise alone that reaches P or S on the same capability and control.',
    gap_ids: scores.gaps.map(({ id }) => id),
    controls: csf('ID.IM-02'),
    exercised: 'not_exercised',
  };
  return [debrief, retest].map((step): PhaseStep => ({ phase: 'post_incident', step }));
}
