import { type PlaybookContent, playbookContent } from '@muster/contracts';
import type { Job } from '../jobs/job.ts';
import { namesOf, sessionMaterial } from '../sessions/material.ts';
import { playbookProblems } from './playbook.grounding.ts';
import { type PlaybookInput, playbookByRules } from './playbook.rules.ts';

const TASK = `Write an incident response playbook from a security exercise. A draft made by rule is part of the material.
- Keep the id, exercised, measured_minutes and gap_ids of every step that you take over; keep every step that has gaps.
- Make title and detail such that somebody who was not there can act on them at night: the first move, the system, whom to call, how to tell that it worked.
- Put steps into the phase and the order in which they are done. "depends_on" names earlier steps only.
- A step that you add has an id of its own beginning with "add.", exercised "not_exercised", measured_minutes null.
- "owner_role" is the id of a role of the scenario; techniques and controls come from the draft. Invent nothing.`;

export const playbookJob: Job<PlaybookInput, PlaybookContent> = {
  name: 'write-playbook',
  schema: playbookContent,
  rules: playbookByRules,
  prompt: (input) => ({ task: TASK, material: { ...sessionMaterial(input), draft: playbookByRules(input) } }),
  problems: playbookProblems,
  names: namesOf,
  max_output_tokens: 16_000,
};
