import type { PlaybookContent, PlaybookStep } from '@muster/contracts';
import { type PlaybookInput, playbookByRules } from './playbook.rules.ts';

/**
 * What a model's playbook claims that the session does not hold. Its own steps may be new, but what was exercised,
 * when and with which gaps is the session's to say.
 */
export function playbookProblems(written: PlaybookContent, input: PlaybookInput): string[] {
  const facts = new Map(
    playbookByRules(input).phases.flatMap(({ steps }) => steps.map((step) => [step.id, step] as const)),
  );
  const known = {
    roles: new Set([
      ...input.scenario.roles.map(({ id }) => id),
      ...[...facts.values()].map((step) => step.owner_role),
    ]),
    gaps: new Set(input.scores.gaps.map(({ id }) => id)),
    techniques: new Set([
      ...input.scenario.threat.techniques,
      ...input.scenario.injects.flatMap(({ techniques }) => techniques),
    ]),
    controls: new Set([...facts.values()].flatMap((step) => step.controls.map(({ control }) => control))),
  };
  const problems: string[] = [];
  const seen = new Set<string>();
  const phases = new Set<string>();
  for (const { phase, steps } of written.phases) {
    if (phases.has(phase)) problems.push(`phase "${phase}" is there twice`);
    phases.add(phase);
    for (const step of steps) {
      if (seen.has(step.id)) problems.push(`step "${step.id}" is there twice`);
      problems.push(
        ...stepProblems(step, facts.get(step.id), known),
        ...step.depends_on
          .filter((id) => !seen.has(id))
          .map((id) => `step "${step.id}" depends on "${id}", which does not come before it`),
      );
      seen.add(step.id);
    }
  }
  const lost = [...facts.values()].filter(({ id, gap_ids }) => gap_ids.length > 0 && !seen.has(id));
  return [...problems, ...lost.map(({ id }) => `step "${id}" of the draft is missing`)];
}

function stepProblems(
  step: PlaybookStep,
  fact: PlaybookStep | undefined,
  known: Record<'roles' | 'gaps' | 'techniques' | 'controls', ReadonlySet<string>>,
): string[] {
  const exercised = fact?.exercised ?? 'not_exercised';
  const measured = fact?.measured_minutes ?? null;
  const wrong = (what: string, values: readonly string[], all: ReadonlySet<string>) =>
    values
      .filter((value) => !all.has(value))
      .map((value) => `step "${step.id}": there is no ${what} "${value}"`);
  return [
    ...(step.exercised === exercised ? [] : [`step "${step.id}": exercised is "${exercised}"`]),
    ...(step.measured_minutes === measured ? [] : [`step "${step.id}": measured_minutes is ${measured}`]),
    ...wrong('role', [step.owner_role], known.roles),
    ...wrong('gap', step.gap_ids, known.gaps),
    ...wrong('technique', step.techniques, known.techniques),
    ...wrong(
      'control',
      step.controls.map(({ control }) => control),
      known.controls,
    ),
  ];
}
