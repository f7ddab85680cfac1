import { describe, expect, test } from '@jest/globals';
import { PHASES, type PlaybookContent, playbookContent } from '@muster/contracts';
import { hospital, library, played, response } from '../../test/table.ts';
import { changesBetween } from './changes.rules.ts';
import { playbookProblems } from './playbook.grounding.ts';
import { playbookByRules } from './playbook.rules.ts';

const stepsOf = ({ phases }: PlaybookContent) => phases.flatMap(({ steps }) => steps);
const record = played(hospital, [
  response('I1', { at_minutes: 8, actions: ['A1'], decision: 'We declare an incident.' }),
  response('I2', { at_minutes: 40, decision: 'We isolated the servers. We left the backup alone.' }),
]);
const step = (id: string) => stepsOf(playbookByRules(record)).find((one) => one.id === id);

describe.each([...library])('%s', (_filename, scenario) => {
  const input = played(scenario, [response('I1', { at_minutes: 5, actions: ['A1'] })]);
  const playbook = playbookContent.parse(playbookByRules(input));

  test('has a step for every expected action and every gap, in the order of the phases', () => {
    const ids = stepsOf(playbook).map(({ id }) => id);
    for (const inject of scenario.injects)
      for (const action of inject.expected_actions) expect(ids).toContain(`${inject.id}.${action.id}`);
    expect(new Set(ids).size).toBe(ids.length);
    const gaps = new Set(stepsOf(playbook).flatMap(({ gap_ids }) => gap_ids));
    expect(gaps).toEqual(new Set(input.scores.gaps.map(({ id }) => id)));
    const order = playbook.phases.map(({ phase }) => PHASES.indexOf(phase));
    expect(order).toEqual(order.toSorted((one, other) => one - other));
  });

  test('waits for earlier steps only, holds up against the session, and is the same every time', () => {
    expect(playbookProblems(playbook, input)).toEqual([]);
    expect(playbookByRules(structuredClone(input))).toEqual(playbook);
  });
});

test('a step says what the session showed of it', () => {
  expect(step('I1.A2')).toMatchObject({
    exercised: 'performed',
    measured_minutes: 8,
    target_minutes: 15,
    gap_ids: [],
  });
  expect(step('I1.A2')?.detail).toContain('“We declare an incident”');
  expect(step('I2.A1')).toMatchObject({ exercised: 'late', measured_minutes: 28, gap_ids: ['I2:A1'] });
  expect(step('I2.A2')).toMatchObject({ exercised: 'missed', measured_minutes: null, gap_ids: ['I2:A2'] });
});

test('an inject that did not come up was not exercised', () => {
  const calm = structuredClone(record);
  calm.scores.injects = calm.scores.injects.map((inject) =>
    inject.id === 'I5' ? { ...inject, applied: false } : inject,
  );
  const found = stepsOf(playbookByRules(calm)).find(({ id }) => id === 'I5.A1');
  expect(found).toMatchObject({ exercised: 'not_exercised', measured_minutes: null });
  expect(found?.detail).toContain('Never exercised');
});

test('the first move of an inject waits for that of the inject before it', () => {
  expect(step('I2.A1')?.depends_on).toEqual(['I1.A3']);
  expect(step('I2.A2')?.depends_on).toEqual(['I1.A3']);
});

test('what the threat leaves behind is taken out, also where the scenario does not ask for it', () => {
  const eradication = playbookByRules(record).phases.find(({ phase }) => phase === 'eradication');
  expect(eradication?.steps.flatMap(({ techniques }) => techniques)).toContain('T1486');
});

test('deadlines of the law are steps, with what follows them, and wait for nothing', () => {
  const lawful = structuredClone(record);
  lawful.scores.regulatory = [
    {
      clock: 'dora-4h',
      regulation: 'dora',
      title: 'Initial notification',
      limit_hours: 4,
      status: 'met',
      started_by: { inject_id: 'I8', action_id: null },
      reported_by: { inject_id: 'I8', action_id: 'A2' },
      elapsed_hours: 2.5,
      margin_hours: 1.5,
      text: 'met with 1 h 30 to spare',
    },
  ];
  const steps = stepsOf(playbookByRules(lawful));
  expect(steps.find(({ id }) => id === 'duty.dora-4h')).toMatchObject({
    exercised: 'performed',
    measured_minutes: 150,
    target_minutes: 240,
    depends_on: [],
    owner_role: 'legal_privacy',
  });
  expect(steps.find(({ id }) => id === 'duty.dora-final')?.title).toContain('one month');
});

describe('a new version', () => {
  const before = playbookByRules(record);
  const better = played(hospital, [
    ...record.session.responses,
    response('I3', { at_minutes: 25, actions: ['A1'] }),
  ]);

  test('of the same session changes nothing', () => {
    expect(changesBetween(before, playbookByRules(structuredClone(record)))).toEqual([]);
  });

  test('says what changed, and what came and went', () => {
    const after = playbookByRules(better);
    const changes = changesBetween(before, after);
    expect(changes).toContainEqual({
      kind: 'changed',
      step_id: 'I3.A1',
      title: step('I3.A1')?.title,
      fields: expect.arrayContaining(['exercised', 'measured_minutes', 'gap_ids']),
    });
    const without = {
      phases: after.phases.map((one) => ({ ...one, steps: one.steps.filter(({ id }) => id !== 'I3.A1') })),
    };
    expect(changesBetween(after, without)).toEqual([
      expect.objectContaining({ kind: 'removed', step_id: 'I3.A1' }),
    ]);
    expect(changesBetween(without, after)).toContainEqual(
      expect.objectContaining({ kind: 'added', step_id: 'I3.A1' }),
    );
  });
});

describe("a model's playbook is refused where it", () => {
  const draft = playbookByRules(record);
  const changed = (id: string, fields: object): PlaybookContent => ({
    ...draft,
    phases: draft.phases.map((one) => ({
      ...one,
      steps: one.steps.map((each) => (each.id === id ? { ...each, ...fields } : each)),
    })),
  });

  test.each([
    ['claims what was not done', changed('I2.A2', { exercised: 'performed' }), /exercised is "missed"/],
    ['invents a time', changed('I2.A2', { measured_minutes: 3 }), /measured_minutes/],
    ['names a foreign gap', changed('I2.A2', { gap_ids: ['I99:A1'] }), /no gap/],
    ['names a foreign technique', changed('I2.A2', { techniques: ['T1234'] }), /no technique/],
    ['names a foreign role', changed('I2.A2', { owner_role: 'nobody' }), /no role/],
    ['waits for a later step', changed('I1.A2', { depends_on: ['I10.A1'] }), /does not come before/],
    ['loses a gap', { ...draft, phases: draft.phases.slice(0, 1) }, /missing/],
  ])('%s', (_name, written, problem) => {
    expect(playbookProblems(written, record).join('\n')).toMatch(problem);
  });
});
