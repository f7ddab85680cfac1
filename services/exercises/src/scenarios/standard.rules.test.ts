import { expect, test } from '@jest/globals';
import type { ScenarioContent } from '@muster/contracts';
import { CSF_SUBCATEGORIES } from './csf.data.ts';
import { library } from './library.service.ts';
import { belowStandard } from './standard.rules.ts';

/** A scenario of the library, damaged. */
function shortfalls(damage: (content: ScenarioContent) => void): string[] {
  const content = structuredClone(library[0]?.content);
  if (!content) throw new Error('the library is empty');
  damage(content);
  return belowStandard(content).map(({ path, code }) => `${path} ${code}`);
}

function first(content: ScenarioContent) {
  const [inject] = content.injects;
  const [action] = inject?.expected_actions ?? [];
  const [objective] = content.objectives;
  const [role] = content.roles;
  if (!inject || !action || !objective || !role) throw new Error('the scenario is empty');
  return { inject, action, objective, role };
}

test('CSF 2.0 has 106 subcategories', () => {
  expect(CSF_SUBCATEGORIES.size).toBe(106);
});

test('a scenario of the library has no shortfall', () => {
  expect(shortfalls(() => undefined)).toEqual([]);
});

test.each<[string, (content: ScenarioContent) => void, string[]]>([
  ['too short', (c) => Object.assign(c, { duration_minutes: 59 }), ['/duration_minutes extent']],
  ['too long', (c) => Object.assign(c, { duration_minutes: 181 }), ['/duration_minutes extent']],
  ['too few injects', (c) => c.injects.splice(7), ['/injects extent']],
  [
    'two injects in one minute',
    (c) => Object.assign(c.injects[1] ?? {}, { offset_minutes: 0 }),
    ['/injects/1/offset_minutes out_of_order'],
  ],
  [
    'a contingency that depends on nothing',
    (c) => Object.assign(first(c).inject, { type: 'contingency' }),
    ['/injects/0/only_if required'],
  ],
  [
    'no contingency',
    (c) => c.injects.map((inject) => Object.assign(inject, { type: 'complexity', only_if: undefined })),
    ['/injects no_contingency'],
  ],
  [
    'no complexity',
    (c) =>
      c.injects
        .filter(({ type }) => type === 'complexity')
        .map((inject) => Object.assign(inject, { type: 'standard' })),
    ['/injects no_complexity'],
  ],
  [
    'an objective without a control of CSF 2.0',
    (c) => Object.assign(first(c).objective, { controls: [{ framework: 'our-own', control: 'RS.MA-01' }] }),
    ['/objectives/0/controls unmapped'],
  ],
  [
    'a control that was withdrawn',
    (c) => first(c).objective.controls.unshift({ framework: 'nist-csf-2.0', control: 'DE.CM-04' }),
    ['/objectives/0/controls/0/control unknown_control'],
  ],
  [
    'an objective that nothing exercises',
    (c) => c.objectives.push({ ...first(c).objective, id: 'O99' }),
    ['not_exercised'],
  ],
  ['a role that nobody addresses', (c) => c.roles.push({ ...first(c).role, id: 'idle' }), ['not_exercised']],
  [
    'a role without responsibilities',
    (c) => Object.assign(first(c).role, { responsibilities: ' ' }),
    ['/roles/0/responsibilities required'],
  ],
  ['a technique that nothing shows', (c) => c.threat.techniques.push('T1001'), ['not_exercised']],
  ['a technique of no threat', (c) => first(c).inject.techniques.unshift('T1001'), ['undeclared']],
  [
    'notes without a red flag',
    (c) => Object.assign(first(c).inject, { facilitator_notes: 'Let them argue.' }),
    ['/injects/0/facilitator_notes no_red_flag'],
  ],
  [
    'a regulatory clock that the notes do not explain',
    (c) => Object.assign(first(c).inject, { regulatory: ['gdpr'], facilitator_notes: 'Red flag: silence.' }),
    ['/injects/0/facilitator_notes no_clock'],
  ],
  [
    'a story that goes back',
    (c) => Object.assign(c.injects[2] ?? {}, { story_hours: 0.5 }),
    ['/injects/2/story_hours out_of_order'],
  ],
  [
    'a story that stands still while minutes pass',
    (c) => Object.assign(first(c).inject, { story_hours: 0.4 }),
    ['/injects/1/story_hours out_of_order'],
  ],
  [
    'a clock that no action meets',
    (c) => Object.assign(first(c).inject, { regulatory: ['nis2'] }),
    ['/injects no_report'],
  ],
  [
    'a clock that waits for a classification nobody makes',
    (c) => {
      Object.assign(first(c).inject, { regulatory: ['dora'] });
      Object.assign(first(c).action, { reports: ['dora-4h', 'dora-72h'] });
    },
    ['/injects no_classification'],
  ],
  [
    'nothing to discuss',
    (c) => Object.assign(first(c).inject, { discussion_questions: [] }),
    ['/injects/0/discussion_questions required'],
  ],
  [
    'an action without a target time',
    (c) => Object.assign(first(c).action, { target_minutes: null }),
    ['/injects/0/expected_actions/0/target_minutes required'],
  ],
  [
    'a keyword that fits any decision',
    (c) => first(c).action.keywords.unshift('inform'),
    ['/injects/0/expected_actions/0/keywords/0 generic'],
  ],
  [
    'a keyword with a capital',
    (c) => first(c).action.keywords.unshift('Isolate host'),
    ['/injects/0/expected_actions/0/keywords/0 not_plain'],
  ],
  [
    'too few keywords',
    (c) => first(c).action.keywords.splice(1),
    ['/injects/0/expected_actions/0/keywords too_few'],
  ],
])('%s is a shortfall', (_, damage, expected) => {
  const found = shortfalls(damage);
  for (const shortfall of expected)
    expect(found).toContainEqual(shortfall.startsWith('/') ? shortfall : expect.stringContaining(shortfall));
});

test('a report or a classification for each clock is enough', () => {
  const lawful = (content: ScenarioContent) => {
    Object.assign(first(content).inject, { regulatory: ['dora', 'nis2'] });
    first(content).inject.facilitator_notes += ' Clock: from now.';
    Object.assign(first(content).action, {
      reports: ['nis2-24h', 'nis2-72h', 'dora-4h', 'dora-72h'],
      classifies: true,
    });
  };
  expect(shortfalls(lawful)).toEqual([]);
});

test('all actions critical is a shortfall', () => {
  const all = (content: ScenarioContent) =>
    content.injects
      .flatMap((inject) => inject.expected_actions)
      .map((action) => Object.assign(action, { critical: true }));
  expect(shortfalls(all)).toEqual(['/injects critical']);
});
