import {
  CLOCKS,
  type ExpectedAction,
  type Inject,
  type ProblemDetail,
  REPORTS,
  type ScenarioContent,
} from '@muster/contracts';
import { CSF, CSF_SUBCATEGORIES } from './csf.data.ts';

/**
 * What a scenario of the library must be, beyond what an upload must: one that a facilitator can run as it is, within
 * half a day and with nothing to prepare.
 */
const STANDARD = {
  injects: { from: 8, to: 14 },
  minutes: { from: 60, to: 180 },
  actions: { from: 2, to: 4 },
  /** Alternatives in which tables put the same decision. */
  keywords: 3,
} as const;
const KEYWORD = /^[a-z0-9]+( [a-z0-9]+)*$/;
const RED_FLAGS = /\bRed flags?: ./;
const CLOCK = /\bclocks?\b/i;
/** Words of nearly every decision: alone, they show nothing. */
const GENERIC = new Set(
  (
    'access account action alert analysis assess attack call check communication contact customer data decide ' +
    'decision document escalate evidence incident inform legal log manager meeting message monitor network notify ' +
    'plan prepare record report response review risk security server start stop supplier system team tell update ' +
    'user verify'
  ).split(' '),
);

/**
 * Where a scenario falls short of the library's standard. References are another rule's concern: see `scenarioProblems`.
 * @returns one entry per place, `path` being its JSON pointer; empty when it meets the standard
 */
export function belowStandard(content: ScenarioContent): ProblemDetail[] {
  const { injects, objectives } = content;
  return [
    ...extentProblems(content),
    ...orderProblems(injects),
    ...criticalityProblems(injects),
    ...storyProblems(injects),
    ...reportProblems(injects),
    ...objectives.flatMap((objective, index) => controlProblems(content, objective, `/objectives/${index}`)),
    ...threatProblems(content),
    ...content.roles.flatMap((role, index) => roleProblems(injects, role, `/roles/${index}`)),
    ...injects.flatMap((inject, index) => injectProblems(inject, `/injects/${index}`)),
  ];
}

function extentProblems({ injects, duration_minutes }: ScenarioContent): ProblemDetail[] {
  return [
    ...rangeProblems('/injects', injects.length, STANDARD.injects, 'injects'),
    ...rangeProblems('/duration_minutes', duration_minutes, STANDARD.minutes, 'minutes'),
  ];
}

/** In the order of the clock, a minute each, and with something that depends on what the table did. */
function orderProblems(injects: Inject[]): ProblemDetail[] {
  const late = injects.flatMap((inject, index) =>
    inject.offset_minutes > (injects[index - 1]?.offset_minutes ?? -1)
      ? []
      : [problem(`/injects/${index}/offset_minutes`, 'out_of_order', 'must come after the inject before it')],
  );
  const unconditional = injects.flatMap((inject, index) =>
    inject.type !== 'contingency' || inject.only_if
      ? []
      : [problem(`/injects/${index}/only_if`, 'required', 'is missing: a contingency depends on a decision')],
  );
  const missing = (['contingency', 'complexity'] as const)
    .filter((type) => !injects.some((inject) => inject.type === type))
    .map((type) => problem('/injects', `no_${type}`, `needs an inject of the type ${type}`));
  return [...late, ...unconditional, ...missing];
}

/** Some actions are critical, and fewer than half: what is all urgent is not urgent. */
function criticalityProblems(injects: Inject[]): ProblemDetail[] {
  const actions = injects.flatMap((inject) => inject.expected_actions);
  const critical = actions.filter((action) => action.critical).length;
  return critical > 0 && critical < actions.length / 2
    ? []
    : [problem('/injects', 'critical', `${critical} of ${actions.length} actions are critical`)];
}

/** The story's time never goes back: from one inject that states it to the next, the minutes played have passed. */
function storyProblems(injects: Inject[]): ProblemDetail[] {
  let latest = { minute: 0, hours: 0 };
  return injects.flatMap(({ offset_minutes: minute, story_hours: hours }, index) => {
    if (hours === undefined) return [];
    const passed = latest.hours + (minute - latest.minute) / 60;
    latest = { minute, hours };
    if (hours >= passed) return [];
    const message = `goes back: ${passed.toFixed(2)} hours have passed by then`;
    return [problem(`/injects/${index}/story_hours`, 'out_of_order', message)];
  });
}

/** A table can meet every clock that the scenario starts: an action files each report, and one classifies where asked. */
function reportProblems(injects: Inject[]): ProblemDetail[] {
  const actions = injects.flatMap((inject) => inject.expected_actions);
  const laws = new Set(injects.flatMap((inject) => inject.regulatory ?? []));
  const due = REPORTS.filter((clock) => laws.has(CLOCKS[clock].regulation));
  const unreported = due
    .filter((clock) => !actions.some(({ reports }) => reports?.includes(clock)))
    .map((clock) => problem('/injects', 'no_report', `needs an action that reports ${clock}`));
  const waits = due.some((clock) => CLOCKS[clock].from === 'classification');
  if (!waits || actions.some(({ classifies }) => classifies)) return unreported;
  return [...unreported, problem('/injects', 'no_classification', 'needs an action that classifies')];
}

function controlProblems(
  { injects }: ScenarioContent,
  objective: ScenarioContent['objectives'][number],
  at: string,
): ProblemDetail[] {
  const known = objective.controls.filter(({ framework }) => framework === CSF);
  const unknown = objective.controls.flatMap(({ framework, control }, index) =>
    framework !== CSF || CSF_SUBCATEGORIES.has(control)
      ? []
      : [problem(`${at}/controls/${index}/control`, 'unknown_control', `CSF 2.0 has no "${control}"`)],
  );
  const unmapped = known.length > 0 ? [] : [problem(`${at}/controls`, 'unmapped', `needs one of ${CSF}`)];
  const idle = injects.some((inject) => inject.objective_ids.includes(objective.id))
    ? []
    : [problem(at, 'not_exercised', 'no inject exercises it')];
  return [...unknown, ...unmapped, ...idle];
}

function threatProblems({ threat: { techniques }, injects }: ScenarioContent): ProblemDetail[] {
  const idle = techniques.flatMap((technique, index) =>
    injects.some((inject) => inject.techniques.includes(technique))
      ? []
      : [problem(`/threat/techniques/${index}`, 'not_exercised', `no inject shows ${technique}`)],
  );
  const undeclared = injects.flatMap((inject, at) =>
    inject.techniques.flatMap((technique, index) =>
      techniques.includes(technique)
        ? []
        : [
            problem(
              `/injects/${at}/techniques/${index}`,
              'undeclared',
              `the threat does not list ${technique}`,
            ),
          ],
    ),
  );
  return [...idle, ...undeclared];
}

function roleProblems(
  injects: Inject[],
  role: ScenarioContent['roles'][number],
  at: string,
): ProblemDetail[] {
  const silent = injects.some((inject) => inject.to.includes(role.id))
    ? []
    : [problem(at, 'not_exercised', 'no inject is addressed to it')];
  const blank = role.responsibilities.trim()
    ? []
    : [problem(`${at}/responsibilities`, 'required', 'is empty')];
  return [...silent, ...blank];
}

function injectProblems(inject: Inject, at: string): ProblemDetail[] {
  const problems = (['objective_ids', 'to', 'discussion_questions', 'from'] as const)
    .filter((field) => inject[field].length === 0)
    .map((field) => problem(`${at}/${field}`, 'required', 'is empty'));
  problems.push(
    ...rangeProblems(`${at}/expected_actions`, inject.expected_actions.length, STANDARD.actions, 'actions'),
  );
  const notes = inject.facilitator_notes;
  if (!RED_FLAGS.test(notes))
    problems.push(problem(`${at}/facilitator_notes`, 'no_red_flag', 'needs a "Red flag: …" to watch for'));
  if (inject.regulatory?.length && !CLOCK.test(`${inject.description} ${notes}`))
    problems.push(
      problem(`${at}/facilitator_notes`, 'no_clock', 'must say when the clock of the law starts'),
    );
  const actions = inject.expected_actions.flatMap((action, index) =>
    actionProblems(action, `${at}/expected_actions/${index}`),
  );
  return [...problems, ...actions];
}

function actionProblems({ target_minutes, keywords }: ExpectedAction, at: string): ProblemDetail[] {
  const problems: ProblemDetail[] = [];
  if (!target_minutes) problems.push(problem(`${at}/target_minutes`, 'required', 'is missing'));
  if (keywords.length < STANDARD.keywords)
    problems.push(problem(`${at}/keywords`, 'too_few', `needs ${STANDARD.keywords} alternatives or more`));
  for (const [index, keyword] of keywords.entries()) {
    const path = `${at}/keywords/${index}`;
    if (!KEYWORD.test(keyword))
      problems.push(problem(path, 'not_plain', `"${keyword}" must be plain words in lower case`));
    if (GENERIC.has(keyword)) problems.push(problem(path, 'generic', `"${keyword}" alone fits any decision`));
    if (keywords.indexOf(keyword) < index)
      problems.push(problem(path, 'duplicate', `"${keyword}" is there twice`));
  }
  return problems;
}

function rangeProblems(
  path: string,
  value: number,
  { from, to }: { from: number; to: number },
  noun: string,
): ProblemDetail[] {
  if (value >= from && value <= to) return [];
  return [problem(path, 'extent', `needs ${from} to ${to} ${noun}, has ${value}`)];
}

const problem = (path: string, code: string, message: string): ProblemDetail => ({ path, code, message });
