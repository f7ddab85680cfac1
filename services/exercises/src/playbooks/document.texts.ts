import type { Phase, Playbook, PlaybookChange, PlaybookStep, SettingsFacts } from '@muster/contracts';
import {
  type Block,
  blocks,
  bullets,
  callout,
  type DocumentModel,
  figures,
  heading,
  paragraph,
  type Step,
  type StepState,
  step,
  steps,
  strong,
} from '@muster/documents';
import { authorInWords } from '../reports/author.texts.ts';
import { counted, dayInWords, inWords } from '../reports/wording.texts.ts';
import { stepsOf } from './layers.rules.ts';

interface About {
  organization: SettingsFacts['organization'];
  scenario_title: string;
  roles: readonly { id: string; name: string }[];
}

const HANDLING = 'TLP:AMBER';
const MOST_CHANGES = 40;
const MOST_CONTROLS = 6;
const STATES: Readonly<Record<PlaybookStep['exercised'], StepState>> = {
  performed: 'done',
  late: 'late',
  missed: 'missed',
  not_exercised: 'not_exercised',
};
const PHASE_TITLES: Readonly<Record<Phase, string>> = {
  preparation: 'Preparation',
  detection: 'Detection and analysis',
  containment: 'Containment',
  eradication: 'Eradication',
  recovery: 'Recovery',
  post_incident: 'After the incident',
};

/** A playbook as a document that somebody can act on at night: phase by phase, with owner, target and proof of each step. */
export function playbookDocument(playbook: Playbook, about: About): DocumentModel {
  const { organization, scenario_title, roles } = about;
  const all = stepsOf(playbook);
  const places = new Map(
    playbook.phases.flatMap(({ phase, steps: own }) =>
      own.map(({ id }, at) => [id, { phase, number: at + 1 }] as const),
    ),
  );
  const nameOf = (here: Phase) => (id: string) => {
    const place = places.get(id);
    if (!place) return id;
    return place.phase === here
      ? `step ${place.number}`
      : `step ${place.number} of “${PHASE_TITLES[place.phase]}”`;
  };
  const names = new Map(roles.map(({ id, name }) => [id, name]));
  const count = (...states: PlaybookStep['exercised'][]) =>
    String(all.filter(({ exercised }) => states.includes(exercised)).length);
  return {
    title: playbook.title,
    subtitle: `Version ${playbook.version}`,
    classification: HANDLING,
    meta: [
      ['Organization', organization.name],
      ['Made from', scenario_title],
      ['Date', dayInWords(new Date(playbook.created_at), organization.timezone)],
      ['Written by', authorInWords(playbook.engine)],
    ],
    language: 'en',
    blocks: blocks(
      figures(
        { label: 'Steps', value: String(all.length) },
        { label: 'Proved in the exercise', value: count('performed') },
        { label: 'Late or missed', value: count('late', 'missed') },
        { label: 'Never exercised', value: count('not_exercised') },
      ),
      paragraph(
        'Steps are in the order in which they are done. What a step waits for is named beside it; all else can be done at the same time. A step that was never exercised is a plan, not yet an ability.',
      ),
      playbook.engine.degraded && callout('info', playbook.engine.reason ?? '', 'Written by rule'),
      playbook.phases
        .filter((phase) => phase.steps.length > 0)
        .flatMap((phase) => [
          heading(1, PHASE_TITLES[phase.phase]),
          steps(phase.steps.map((one) => stepBlock(one, names, nameOf(phase.phase)))),
        ]),
      changesChapter(playbook),
    ),
  };
}

/** @param nameOf how a step is called from where this one stands */
function stepBlock(
  one: PlaybookStep,
  names: ReadonlyMap<string, string>,
  nameOf: (id: string) => string,
): Step {
  const { title, detail, owner_role, target_minutes, measured_minutes, depends_on, controls } = one;
  const notes: [string, string][] = [['Owner', names.get(owner_role) ?? owner_role]];
  if (target_minutes !== null) notes.push(['Target', inMinutes(target_minutes)]);
  if (measured_minutes !== null) notes.push(['Took', inMinutes(measured_minutes)]);
  if (depends_on.length > 0) notes.push(['After', depends_on.map(nameOf).join(', ')]);
  if (controls.length > 0) notes.push(['Controls', controlsInWords(controls)]);
  return step([strong(title)], STATES[one.exercised], {
    ...(detail !== '' && { content: [paragraph(detail)] }),
    notes,
  });
}

function controlsInWords(controls: PlaybookStep['controls']): string {
  const more = controls.length - MOST_CONTROLS;
  const shown = controls.slice(0, MOST_CONTROLS).map(({ control }) => control);
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const DAY_MINUTES = 1440;

function inMinutes(minutes: number): string {
  if (minutes >= DAY_MINUTES && minutes % 60 === 0) return `${minutes / 60} h`;
  return `${Math.round(minutes * 10) / 10} min`;
}

function changesChapter({ version, changes }: Playbook): Block[] {
  if (version === 1) return [];
  const rest = changes.length - MOST_CHANGES;
  return blocks(
    heading(1, `What changed since version ${version - 1}`),
    changes.length === 0 && paragraph('Nothing.'),
    changes.length > 0 && bullets(changes.slice(0, MOST_CHANGES).map(changeRuns)),
    rest > 0 && paragraph(`And ${counted(rest, 'more change')}.`),
  );
}

function changeRuns({ kind, title, fields }: PlaybookChange) {
  const what = fields.length > 0 ? ` (${fields.map((field) => field.replaceAll('_', ' ')).join(', ')})` : '';
  return [strong(inWords(kind)), `: ${title}${what}`];
}
