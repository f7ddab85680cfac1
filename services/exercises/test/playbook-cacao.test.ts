import { describe, expect, test } from '@jest/globals';
import { playbookByRules } from '@muster/ai';
import type { Playbook, PlaybookStep } from '@muster/contracts';
import fc from 'fast-check';
import { type CacaoPlaybook, cacaoPlaybook } from '../src/playbooks/cacao.rules.ts';
import { library } from '../src/scenarios/library.service.ts';
import { scoreSession } from '../src/scores/scoring.rules.ts';
import { cacao } from './cacao.schema.ts';

const SESSION = '01923f5e-7b1a-7c3d-9e2f-5a6b7c8d9e0f';
const AT = '2026-03-02T10:00:00.000Z';
const context = {
  organization_id: '01900000-0000-7000-8000-00000000000a',
  roles: [{ id: 'lead', name: 'Incident lead' }],
  first_created_at: AT,
};

function playbookOf(phases: Playbook['phases']): Playbook {
  const engine = { kind: 'rules' as const, degraded: false };
  return { session_id: SESSION, version: 1, engine, title: 'P', phases, changes: [], created_at: AT };
}

function stepOf(id: string, depends_on: string[] = []): PlaybookStep {
  return {
    id,
    depends_on,
    title: `Do ${id}`,
    detail: 'Now.',
    owner_role: 'lead',
    target_minutes: 10,
    gap_ids: [],
    techniques: ['T1566.001'],
    controls: [{ framework: 'f', control: 'C-1' }],
    exercised: 'performed',
    measured_minutes: 5,
  };
}

/** The titles in the order of the workflow; what runs side by side stands in one row. */
function rowsOf({ workflow, workflow_start }: CacaoPlaybook): string[][] {
  const rows: string[][] = [];
  for (let id: string | undefined = workflow_start; id; id = workflow[id]?.on_completion) {
    const one = workflow[id];
    if (one?.type === 'action') rows.push([one.name ?? '']);
    if (one?.type === 'parallel')
      rows.push((one.next_steps ?? []).map((branch) => workflow[branch]?.name ?? ''));
  }
  return rows;
}

describe('a CACAO export', () => {
  test.each(library)('of $filename is valid', ({ content: scenario }) => {
    const session = {
      id: SESSION,
      title: 'T',
      started_at: AT,
      ended_at: AT,
      participants: [],
      responses: [],
      observations: [],
    };
    const scores = scoreSession({
      session_id: SESSION,
      scenario,
      responses: [],
      observations: [],
      computed_at: AT,
    });
    const { title, phases } = playbookByRules({ session, scenario, scores });
    const playbook = { ...playbookOf(phases), title };
    const exported = cacaoPlaybook(playbook, { ...context, roles: scenario.roles });
    expect(cacao.safeParse(exported).error?.issues).toBeUndefined();
    expect(rowsOf(exported).flat().sort()).toEqual(
      phases.flatMap(({ steps }) => steps.map((step) => step.title)).sort(),
    );
    expect(cacaoPlaybook(playbook, { ...context, roles: scenario.roles })).toEqual(exported);
  });

  test('runs side by side what waits for nothing, and one after the other what does', () => {
    const exported = cacaoPlaybook(
      playbookOf([
        { phase: 'detection', steps: [stepOf('a')] },
        { phase: 'containment', steps: [stepOf('b', ['a']), stepOf('c', ['a']), stepOf('d', ['b', 'c'])] },
      ]),
      context,
    );
    expect(rowsOf(exported)).toEqual([['Do a'], ['Do b', 'Do c'], ['Do d']]);
    expect(Object.values(exported.agent_definitions)).toEqual([{ type: 'group', name: 'Incident lead' }]);
    const [technique] = exported.external_references ?? [];
    expect(technique?.url).toBe('https://attack.mitre.org/techniques/T1566/001/');
  });

  test('of a playbook without steps is valid too', () => {
    expect(cacao.safeParse(cacaoPlaybook(playbookOf([]), context)).error?.issues).toBeUndefined();
  });

  test('is valid and loses no step whatever waits for whatever, even in circles', () => {
    const count = 8;
    const waits = fc.array(fc.array(fc.nat(count - 1), { maxLength: 3 }), { minLength: 1, maxLength: count });
    fc.assert(
      fc.property(waits, (given) => {
        const steps = given.map((ids, at) =>
          stepOf(
            `s${at}`,
            ids.map((id) => `s${id}`),
          ),
        );
        const exported = cacaoPlaybook(playbookOf([{ phase: 'recovery', steps }]), context);
        expect(cacao.safeParse(exported).error?.issues).toBeUndefined();
        expect(rowsOf(exported).flat()).toHaveLength(steps.length);
      }),
    );
  });
});
