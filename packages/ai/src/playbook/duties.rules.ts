import type { PlaybookStep, RegulatoryClock } from '@muster/contracts';
import { bare, paragraph } from '../prose/prose.ts';
import { ownerOf, roleName } from '../sessions/owners.rules.ts';
import type { SessionRecord } from '../sessions/record.ts';
import type { PhaseStep } from './steps.rules.ts';

const LEGAL_CONTROLS = [
  { framework: 'nist-csf-2.0', control: 'GV.OC-03' },
  { framework: 'nist-csf-2.0', control: 'RS.CO-02' },
];
/** What follows the first notifications: NIS2 article 23(4)(d), DORA article 19(4)(c), GDPR article 33(5). */
const FOLLOW_UPS: Readonly<Record<RegulatoryClock['regulation'], string>> = {
  nis2: 'Send the NIS2 final report within one month of the notification',
  dora: 'Send the DORA final report within one month of the intermediate report',
  gdpr: 'Document the personal data breach, its effects and the remedy for the authority',
};
const RESULT_BY_STATUS = {
  met: 'performed',
  missed: 'late',
  not_reported: 'missed',
  running: 'not_exercised',
  not_started: 'not_exercised',
} as const;

/**
 * A step for each deadline of the law that the session set running and that no expected action of the scenario meets,
 * and for what each law asks for afterwards.
 */
export function dutySteps({ scenario, scores }: SessionRecord): PhaseStep[] {
  const owner = ownerOf(
    scenario,
    { to: [] },
    { text: 'assess legal and regulatory duties, notify authorities' },
  );
  const common = { owner_role: owner, depends_on: [], gap_ids: [], techniques: [], controls: LEGAL_CONTROLS };
  const actions = scenario.injects.flatMap(({ expected_actions }) => expected_actions);
  const alone = scores.regulatory.filter(
    ({ clock }) => !actions.some(({ reports }) => reports?.includes(clock)),
  );
  const notices = alone.map((clock): PhaseStep => {
    const start = scenario.injects.find(({ id }) => id === clock.started_by?.inject_id);
    const step: PlaybookStep = {
      ...common,
      id: `duty.${clock.clock}`,
      title: `${clock.title} within ${clock.limit_hours} hours`,
      detail: paragraph([
        `Note the minute in which the clock starts${start ? `, as at “${bare(start.title)}”,` : ''} and the deadline as a clock time`,
        `The ${roleName(scenario, owner)} or the deputy sends what is known; a correction may follow, a late notice cannot be mended`,
        `Exercised: ${clock.text}`,
      ]),
      target_minutes: clock.limit_hours * 60,
      exercised: RESULT_BY_STATUS[clock.status],
      measured_minutes: clock.reported_by && clock.elapsed_hours !== null ? clock.elapsed_hours * 60 : null,
    };
    return { phase: 'containment', step, free: true };
  });
  const laws = [...new Set(scores.regulatory.map(({ regulation }) => regulation))];
  const reports = laws.map((law): PhaseStep => {
    const step: PlaybookStep = {
      ...common,
      id: `duty.${law}-final`,
      title: FOLLOW_UPS[law],
      detail: 'Cause, effects, measures taken and measures to come; built from the decision log.',
      target_minutes: null,
      exercised: 'not_exercised',
      measured_minutes: null,
    };
    return { phase: 'post_incident', step, free: true };
  });
  return [...notices, ...reports];
}

/** Letters, digits and dashes of a name, so that it can be part of an id. */
export function plain(name: string): string {
  return (
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '')
      .slice(0, 60) || 'x'
  );
}
