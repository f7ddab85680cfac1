import { describe, expect, test } from '@jest/globals';
import {
  evaluationContent,
  type Improvement,
  type InjectResponse,
  type ScenarioContent,
} from '@muster/contracts';
import fc from 'fast-check';
import { hospital, library, played, response } from '../../test/table.ts';
import { evaluationProblems } from './evaluation.grounding.ts';
import { evaluateByRules } from './evaluation.rules.ts';

/** Answers in the authors' own words: what `taken` chooses of each inject's actions. */
function answers(scenario: ScenarioContent, taken: (at: number) => boolean, minutes = 5): InjectResponse[] {
  return scenario.injects.map((inject) =>
    response(inject.id, {
      at_minutes: inject.offset_minutes + minutes,
      decision: inject.expected_actions
        .filter((_action, at) => taken(at))
        .map(({ text }) => `${text}.`)
        .join(' '),
    }),
  );
}
const improvementFor = (gap: string, improvements: readonly Improvement[]) =>
  improvements.find(({ gap_ids }) => gap_ids.includes(gap));
const present = (...roles: string[]) => ({ participants: roles.map((role) => ({ name: 'Somebody', role })) });

describe.each([...library])('%s', (_filename, scenario) => {
  test.each([
    ['all', () => true],
    ['the first', (at: number) => at === 0],
    ['none', () => false],
  ] as const)('with %s of its actions done, every claim stands in the session', (_name, taken) => {
    const record = played(scenario, answers(scenario, taken));
    const written = evaluationContent.parse(evaluateByRules(record));
    expect(evaluationProblems(written, record)).toEqual([]);
    expect(written.objective_ratings).toHaveLength(scenario.objectives.length);
    const covered = written.improvements.flatMap(({ gap_ids }) => gap_ids);
    expect(covered.toSorted()).toEqual(record.scores.gaps.map(({ id }) => id).toSorted());
    const roles = scenario.roles.map(({ id }) => id);
    for (const { owner_role } of written.improvements) expect(roles).toContain(owner_role);
  });

  test('groups the gaps of an idle table into a plan that can be worked through', () => {
    const record = played(
      scenario,
      answers(scenario, () => false),
    );
    const { improvements } = evaluateByRules(record);
    expect(record.scores.gaps.length).toBeGreaterThan(15);
    expect(improvements.length).toBeLessThanOrEqual(14);
  });
});

test('a table that does everything in time has strengths in its own words, and nothing to improve', () => {
  const { strengths, improvements, objective_ratings, summary } = evaluateByRules(
    played(
      hospital,
      answers(hospital, () => true),
    ),
  );
  expect(strengths).toHaveLength(6);
  expect(strengths.every(({ evidence }) => evidence.length > 0)).toBe(true);
  expect(improvements).toEqual([]);
  expect(objective_ratings.every(({ rating }) => rating === 'P')).toBe(true);
  expect(summary).toContain('can be harder');
});

describe('why an action was missed decides what has to change', () => {
  const evaluate = (responses: InjectResponse[], fields = {}) =>
    evaluateByRules(played(hospital, responses, fields)).improvements;

  test('late: training, with the minutes it took', () => {
    const row = improvementFor(
      'I2:A1',
      evaluate([response('I2', { at_minutes: 40, decision: 'We isolated the servers.' })]),
    );
    expect(row).toMatchObject({ element: 'training', owner_role: 'it_operations' });
    expect(row?.recommendation).toContain('took 28 minutes, target 10 minutes');
  });

  test('nobody with the role at the table: organization', () => {
    const row = improvementFor(
      'I7:A1',
      evaluate([response('I7', { decision: 'Nothing.' })], present('it_operations')),
    );
    expect(row).toMatchObject({
      element: 'organization',
      title: expect.stringContaining('Communications lead'),
    });
  });

  test('the table says that it cannot: equipment, and quotes it', () => {
    const said = 'We cannot take the backup offline, there is no access at night';
    const row = improvementFor('I2:A2', evaluate([response('I2', { decision: `${said}.` })]));
    expect(row).toMatchObject({ element: 'equipment', priority: 'P1', due_in_days: 30 });
    expect(row?.recommendation).toContain(said);
  });

  test('spoken of, but not decided: organization, with who decides', () => {
    const said = 'We thought about disabling the account and left it for Monday';
    const row = improvementFor('I1:A3', evaluate([response('I1', { decision: `${said}.` })]));
    expect(row).toMatchObject({ element: 'organization', title: expect.stringContaining('who decides') });
    expect(row?.recommendation).toContain(said);
  });

  test('not reached: exercise; skipped: planning', () => {
    const rows = evaluate([response('I1', {}), response('I4', {})]);
    expect(improvementFor('I10:A2', rows)?.element).toBe('exercise');
    expect(improvementFor('I2:A1', rows)?.element).toBe('planning');
  });

  test('answered without it: planning where it is critical, training where it is not', () => {
    const rows = evaluate([response('I1', { decision: 'We wait.' })]);
    expect(improvementFor('I1:A2', rows)?.element).toBe('planning');
    expect(improvementFor('I1:A4', rows)?.element).toBe('training');
  });

  test('a missed deadline of the law is a row of its own', () => {
    const rows = evaluate([response('I8', { decision: 'Later.' })], {
      regulatory: [
        {
          clock: 'nis2-24h',
          regulation: 'nis2',
          title: 'Early warning to the CSIRT',
          limit_hours: 24,
          status: 'missed',
          started_by: { inject_id: 'I8', action_id: null },
          reported_by: null,
          elapsed_hours: 27.2,
          margin_hours: -3.2,
          text: 'missed by 3 h 10',
        },
      ],
    });
    expect(rows[0]).toMatchObject({ priority: 'P1', element: 'planning', owner_role: 'legal_privacy' });
    expect(rows[0]?.recommendation).toContain('missed by 3 h 10');
  });

  test('without times, that they are noted', () => {
    const rows = evaluate([response('I1', { decision: 'We declare an incident.' })]);
    expect(rows.at(-1)).toMatchObject({
      title: 'Note the minute of every decision',
      priority: 'P4',
      gap_ids: [],
    });
  });
});

test('an objective that nobody spoke of has no rating', () => {
  const { objective_ratings } = evaluateByRules(
    played(hospital, [response('I1', { decision: 'We declare an incident.' })]),
  );
  expect(objective_ratings.find(({ objective_id }) => objective_id === 'O6')).toEqual({
    objective_id: 'O6',
    rating: null,
    rationale: expect.stringContaining('No rating without quoted evidence'),
    evidence: [],
  });
});

test("an observer's note is part of the rationale", () => {
  const observations = [
    { objective_id: 'O1', rating: 'S' as const, note: 'Clear order, late call.', observer: 'x' },
  ];
  const { objective_ratings } = evaluateByRules(
    played(hospital, [response('I1', { decision: 'We declare an incident.' })], { observations }),
  );
  expect(objective_ratings[0]?.rationale).toContain('“Clear order, late call”');
});

describe('whatever a table writes', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom(
      '我们隔离了受影响的服务器。',
      'عزلنا الخوادم المصابة.',
      'Мы изолировали серверы.',
      'We isolated the servers.\u0000\u0007 \u202Eevil',
      'é'.repeat(500),
    ),
  );
  const responses = fc.array(
    fc.record({
      inject_id: fc.constantFrom(...hospital.injects.map(({ id }) => id), 'I99'),
      at_minutes: fc.option(fc.nat({ max: 200 })),
      actions: fc.subarray(['A1', 'A2', 'A3', 'Z9']),
      decision: texts,
      notes: texts,
    }),
    { maxLength: 12 },
  );

  test('is evaluated within the schema, grounded, the same every time, and left as it is', () => {
    fc.assert(
      fc.property(responses, (given) => {
        const record = played(hospital, given);
        const before = structuredClone(record);
        const written = evaluateByRules(record);
        expect(evaluationProblems(evaluationContent.parse(written), record)).toEqual([]);
        expect(evaluateByRules(structuredClone(record))).toEqual(written);
        expect(record).toEqual(before);
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    ['words', 'We isolate the server and preserve evidence. '.repeat(2300)],
    ['one word', 'x'.repeat(100_000)],
    ['no spaces', '隔离'.repeat(50_000)],
    ['half characters', '\uD83D'.repeat(100_000)],
    ['full stops', '.'.repeat(100_000)],
  ])('100 000 characters of %s take no time', (_name, decision) => {
    const started = performance.now();
    const record = played(hospital, [response('I2', { at_minutes: 20, actions: ['A1', 'A2'], decision })]);
    const written = evaluateByRules(record);
    expect(evaluationProblems(evaluationContent.parse(written), record)).toEqual([]);
    expect(performance.now() - started).toBeLessThan(8000);
  });
});
