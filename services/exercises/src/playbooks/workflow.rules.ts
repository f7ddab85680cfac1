import { createHash } from 'node:crypto';
import type { Phase, Playbook, PlaybookStep } from '@muster/contracts';
import { v4 } from 'uuid';
import { layersOf } from './layers.rules.ts';

export interface ExternalReference {
  name: string;
  external_id: string;
  url?: string;
}

/** A step of the workflow. Every one but an end leads on. */
export interface CacaoStep {
  type: 'start' | 'end' | 'action' | 'parallel';
  name?: string;
  description?: string;
  external_references?: ExternalReference[];
  on_completion?: string;
  next_steps?: string[];
  commands?: { type: 'manual'; command: string; description?: string; playbook_activity: string }[];
  agent?: string;
}

export type Phases = Playbook['phases'];
/** The agents by the role they stand for. */
export type Agents = ReadonlyMap<string, { id: string; name: string }>;
export type Identifiers = ReturnType<typeof identifiers>;

/** Type and activity of each phase, by the standard's vocabularies (sections 3.1.1 and 3.1.2). */
export const PURPOSE: Readonly<Record<Phase, { type: string; activity: string }>> = {
  preparation: { type: 'prevention', activity: 'configure-systems' },
  detection: { type: 'investigation', activity: 'analyze-collected-data' },
  containment: { type: 'mitigation', activity: 'restrict-access' },
  eradication: { type: 'remediation', activity: 'eliminate-risk' },
  recovery: { type: 'remediation', activity: 'restore-capabilities' },
  post_incident: { type: 'notification', activity: 'deliver-content' },
};
const RESULT_TEXTS: Readonly<Record<PlaybookStep['exercised'], string>> = {
  performed: 'Exercised: performed.',
  late: 'Exercised: performed late.',
  missed: 'Exercised: missed.',
  not_exercised: 'Never exercised.',
};

/** The same ids every time. Those of steps must have the form of version 4, so they are a hash in that form. */
export function identifiers(session_id: string) {
  return (type: string, name: string) => {
    const random = createHash('sha256').update(`${session_id} ${type} ${name}`).digest().subarray(0, 16);
    return `${type}--${v4({ random })}`;
  };
}

/** The steps of a workflow by their ids, and which one it begins with. */
export function workflowOf(phases: Phases, agents: Agents, idOf: Identifiers) {
  const steps: Record<string, CacaoStep> = {};
  const layers = phases.flatMap(({ phase, steps }) =>
    layersOf(steps).map((layer) => ({ phase, steps: layer })),
  );
  const end = idOf('end', 'end');
  // From the last layer to the first, so that each knows where it leads.
  const first = layers.reduceRight((next, layer, at) => {
    const actions = layer.steps.map((step) => ({
      id: idOf('action', step.id),
      step: actionOf(step, layer.phase, agents.get(step.owner_role)?.id ?? ''),
    }));
    const [only] = actions;
    if (only && actions.length === 1) {
      steps[only.id] = { ...only.step, on_completion: next };
      return only.id;
    }
    for (const [branch, { id, step }] of actions.entries()) {
      const branchEnd = idOf('end', `${at}.${branch}`);
      steps[branchEnd] = { type: 'end' };
      steps[id] = { ...step, on_completion: branchEnd };
    }
    const parallel = idOf('parallel', String(at));
    steps[parallel] = {
      type: 'parallel',
      name: `At the same time: ${layer.phase.replace('_', ' ')}`,
      next_steps: actions.map(({ id }) => id),
      on_completion: next,
    };
    return parallel;
  }, end);
  const start = idOf('start', 'start');
  const workflow = {
    [start]: { type: 'start' as const, on_completion: first },
    ...steps,
    [end]: { type: 'end' as const },
  };
  return { start, workflow: workflow as Record<string, CacaoStep> };
}

function actionOf(step: PlaybookStep, phase: Phase, agent: string): CacaoStep {
  const references = [
    ...step.techniques.map((technique) => ({
      name: 'mitre-attack',
      external_id: technique,
      url: `https://attack.mitre.org/techniques/${technique.replace('.', '/')}/`,
    })),
    ...step.controls.map(({ framework, control }) => ({ name: framework, external_id: control })),
  ];
  const target = step.target_minutes === null ? '' : ` Target: ${step.target_minutes} minutes.`;
  return {
    type: 'action',
    name: step.title,
    description: `${RESULT_TEXTS[step.exercised]}${target}`,
    ...(references.length > 0 && { external_references: references }),
    commands: [
      {
        type: 'manual',
        command: step.title,
        ...(step.detail !== '' && { description: step.detail }),
        playbook_activity: PURPOSE[phase].activity,
      },
    ],
    agent,
  };
}
