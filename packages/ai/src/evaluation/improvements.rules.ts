import {
  type Capability,
  ELEMENTS,
  GAP_SEVERITIES,
  type Gap,
  type Improvement,
  PRIORITIES,
  type Priority,
  type RegulatoryClock,
  type ScenarioContent,
} from '@muster/contracts';
import { bare, clipped, counted, inside, listed, paragraph } from '../prose/prose.ts';
import type { Deed } from '../sessions/deeds.rules.ts';
import { ownerOf, roleName } from '../sessions/owners.rules.ts';
import type { SessionRecord } from '../sessions/record.ts';
import { adviceFor } from './advice.texts.ts';
import { type Cause, causesOf, ELEMENT_OF } from './causes.rules.ts';

const PRIORITY_BY_SEVERITY: Readonly<Record<Gap['severity'], Priority>> = {
  critical: 'P1',
  high: 'P2',
  medium: 'P3',
  low: 'P4',
};
const DUE_IN_DAYS: Readonly<Record<Priority, number>> = { P1: 30, P2: 60, P3: 90, P4: 180 };
/** More rows than these nobody works through: the least grave of one kind become one. */
const MOST_GROUPS = 9;
const LEGAL_TASK = 'assess legal and regulatory duties, notify authorities';
const LONGEST_TITLE = 300;
const LONGEST_RECOMMENDATION = 4000;

interface GapDeed extends Deed {
  gap: Gap;
}
interface Group {
  cause: Cause;
  capability: Capability;
  deeds: GapDeed[];
}

/**
 * The improvement plan: gaps of the same cause and capability are one row, the gravest first. A missed deadline of the
 * law is a row of its own, and a table that did not note its times gets one for that.
 */
export function improvementsOf(record: SessionRecord, deeds: readonly Deed[]): Improvement[] {
  const open = deeds.flatMap((deed) => (deed.gap ? [{ ...deed, gap: deed.gap }] : []));
  const broken = record.scores.regulatory.filter(
    ({ status }) => status === 'missed' || status === 'not_reported',
  );
  const byLaw = [...Map.groupBy(broken, ({ regulation }) => regulation).values()];
  const reporting = (clocks: readonly RegulatoryClock[]) =>
    open.filter(({ action }) => clocks.some(({ clock }) => action.reports?.includes(clock)));
  const lawful = new Set(reporting(broken));
  const rows = [
    ...byLaw.map((clocks) => lawRow(clocks, reporting(clocks), record.scenario)),
    ...groupsOf(
      record,
      open.filter((deed) => !lawful.has(deed)),
    ).map((group) => groupRow(group, record.scenario)),
    ...timingRow(record),
  ];
  return rows.toSorted(
    (one, other) =>
      PRIORITIES.indexOf(one.priority) - PRIORITIES.indexOf(other.priority) ||
      ELEMENTS.indexOf(one.element) - ELEMENTS.indexOf(other.element),
  );
}

function groupsOf(record: SessionRecord, deeds: readonly GapDeed[]): Group[] {
  const causeOf = causesOf(record);
  const groups = new Map<string, Group>();
  for (const deed of deeds) {
    const cause = causeOf(deed);
    const key = `${cause} ${deed.gap.capability}`;
    const group = groups.get(key) ?? { cause, capability: deed.gap.capability, deeds: [] };
    group.deeds.push(deed);
    groups.set(key, group);
  }
  const sorted = [...groups.values()].map(heaviestFirst).sort((one, other) => gravity(other) - gravity(one));
  return sorted.length > MOST_GROUPS ? mergeRest(sorted) : sorted;
}

/** The gravest groups as they are; of the rest, those of one cause are one. */
function mergeRest(sorted: readonly Group[]): Group[] {
  const rest = new Map<Cause, Group>();
  for (const group of sorted.slice(MOST_GROUPS)) {
    const same = rest.get(group.cause);
    if (same) same.deeds.push(...group.deeds);
    else rest.set(group.cause, { ...group, deeds: [...group.deeds] });
  }
  return [...sorted.slice(0, MOST_GROUPS), ...[...rest.values()].map(heaviestFirst)];
}

function heaviestFirst(group: Group): Group {
  const deeds = group.deeds.toSorted(
    (one, other) => severityOf(other) - severityOf(one) || other.action.weight - one.action.weight,
  );
  return { ...group, deeds };
}

const severityOf = ({ gap }: GapDeed) => GAP_SEVERITIES.indexOf(gap.severity);

/** The gravest gap decides; of equals the number of them. */
function gravity({ deeds }: Group): number {
  return Math.max(...deeds.map(severityOf)) + deeds.length / (deeds.length + 1);
}

function groupRow({ cause, capability, deeds }: Group, scenario: ScenarioContent): Improvement {
  const owner = mostFrequent(deeds.map((deed) => deed.owner));
  const worst = deeds[0]?.gap.severity ?? 'low';
  return row(PRIORITY_BY_SEVERITY[worst], {
    ...adviceFor(cause, capability, deeds, owner, scenario),
    element: ELEMENT_OF[cause],
    owner_role: owner,
    gaps: deeds.map(({ gap }) => gap),
  });
}

/** A row for the missed deadlines of one law. */
function lawRow(
  clocks: readonly RegulatoryClock[],
  deeds: readonly GapDeed[],
  scenario: ScenarioContent,
): Improvement {
  const law = (clocks[0]?.regulation ?? '').toUpperCase();
  const owner =
    mostFrequent(deeds.map((deed) => deed.owner)) || ownerOf(scenario, { to: [] }, { text: LEGAL_TASK });
  const start = scenario.injects.find(({ id }) => id === clocks[0]?.started_by?.inject_id);
  const notices = clocks.map(({ title, limit_hours }) => `${inside(title)} within ${limit_hours} hours`);
  return row('P1', {
    title: `Meet the deadlines of ${law}: ${listed(notices)}`,
    recommendation: paragraph([
      ...clocks.map(({ title, limit_hours, text }) => `${title} within ${limit_hours} hours: ${text}`),
      start ? `The clock started at “${bare(start.title)}”` : null,
      `Prepare the form and the address of the authority, and write into the notification procedure that the ${roleName(scenario, owner)} or a named deputy sends it at any hour, with what little is known by then`,
      'Have the incident log note the minute of awareness, and hang the deadlines on the wall as clock times',
    ]),
    element: 'planning',
    owner_role: owner,
    gaps: deeds.map(({ gap }) => gap),
  });
}

/** For a table at which most answers have no time: late actions cannot be told from fast ones. */
function timingRow({ scores, scenario }: SessionRecord): Improvement[] {
  const answered = scores.injects.filter(({ timing }) => timing !== 'unanswered');
  const untimed = answered.filter(({ timing }) => timing === 'unknown');
  if (untimed.length === 0 || untimed.length * 2 < answered.length) return [];
  return [
    row('P4', {
      title: 'Note the minute of every decision',
      recommendation: paragraph([
        `${counted(untimed.length, 'answer')} of ${answered.length} have no time, so the scores count them as on time and nobody knows how fast the table is`,
        'Name a keeper of the decision log for the next exercise, who writes down who decided what, and when',
      ]),
      element: 'exercise',
      owner_role: ownerOf(
        scenario,
        { to: [] },
        { text: 'keep the decision log, lead the response, incident commander' },
      ),
      gaps: [],
    }),
  ];
}

function row(
  priority: Priority,
  {
    gaps,
    ...fields
  }: Pick<Improvement, 'title' | 'recommendation' | 'element' | 'owner_role'> & { gaps: Gap[] },
): Improvement {
  const controls = new Map(
    gaps.flatMap((gap) => gap.controls.map((one) => [`${one.framework} ${one.control}`, one])),
  );
  return {
    ...fields,
    title: clipped(fields.title, LONGEST_TITLE),
    recommendation: clipped(fields.recommendation, LONGEST_RECOMMENDATION),
    priority,
    due_in_days: DUE_IN_DAYS[priority],
    gap_ids: gaps.map(({ id }) => id),
    controls: [...controls.values()],
  };
}

/** Of equals the first. */
function mostFrequent(values: readonly string[]): string {
  const counts = Map.groupBy(values, (value) => value);
  return [...counts].reduce((best, one) => (one[1].length > best[1].length ? one : best), ['', []] as [
    string,
    string[],
  ])[0];
}
