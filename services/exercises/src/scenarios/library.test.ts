import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { CAPABILITIES, scenarioContent, scenarioFilename } from '@muster/contracts';
import { z } from 'zod';
import { brokenReferences, contentHash } from './scenario.rules.ts';

const LIBRARY = new URL('../../library/', import.meta.url);

/** Categories of NIST CSF 2.0 with the numbers of their subcategories; numbers missing in a row were withdrawn. */
const CSF_2_0 = {
  'GV.OC': [1, 2, 3, 4, 5],
  'GV.RM': [1, 2, 3, 4, 5, 6, 7],
  'GV.RR': [1, 2, 3, 4],
  'GV.PO': [1, 2],
  'GV.OV': [1, 2, 3],
  'GV.SC': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  'ID.AM': [1, 2, 3, 4, 5, 7, 8],
  'ID.RA': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  'ID.IM': [1, 2, 3, 4],
  'PR.AA': [1, 2, 3, 4, 5, 6],
  'PR.AT': [1, 2],
  'PR.DS': [1, 2, 10, 11],
  'PR.PS': [1, 2, 3, 4, 5, 6],
  'PR.IR': [1, 2, 3, 4],
  'DE.CM': [1, 2, 3, 6, 9],
  'DE.AE': [2, 3, 4, 6, 7, 8],
  'RS.MA': [1, 2, 3, 4, 5],
  'RS.AN': [3, 6, 7, 8],
  'RS.CO': [2, 3],
  'RS.MI': [1, 2],
  'RC.RP': [1, 2, 3, 4, 5, 6],
  'RC.CO': [3, 4],
};
const CSF_IDS = new Set(
  Object.entries(CSF_2_0).flatMap(([category, numbers]) =>
    numbers.map((number) => `${category}-${String(number).padStart(2, '0')}`),
  ),
);

const builtin = z.strictObject({ filename: scenarioFilename, ...scenarioContent.shape });
const scenarios = readdirSync(LIBRARY)
  .sort()
  .map((file) => ({
    file,
    scenario: builtin.parse(JSON.parse(readFileSync(new URL(file, LIBRARY), 'utf8'))),
  }));

test('CSF 2.0 has 106 subcategories', () => {
  expect(CSF_IDS.size).toBe(106);
});

test('the library holds five scenarios or more, of different categories, titles and contents', () => {
  expect(scenarios.length).toBeGreaterThanOrEqual(5);
  for (const distinct of [
    scenarios.map(({ scenario }) => scenario.title),
    scenarios.map(({ scenario }) => contentHash(scenario)),
  ])
    expect(new Set(distinct).size).toBe(scenarios.length);
  expect(new Set(scenarios.map(({ scenario }) => scenario.category)).size).toBeGreaterThanOrEqual(5);
});

test('together the objectives exercise all twelve capabilities', () => {
  const exercised = scenarios.flatMap(({ scenario }) =>
    scenario.objectives.map(({ capability }) => capability),
  );
  expect([...new Set(exercised)].sort()).toEqual([...CAPABILITIES].sort());
});

describe.each(scenarios)('$file', ({ file, scenario }) => {
  const { injects, objectives } = scenario;
  const actions = injects.flatMap((inject) =>
    inject.expected_actions.map((action) => ({ ...action, place: `${inject.id} ${action.id}` })),
  );

  test('carries its own name and holds together', () => {
    expect(scenario.filename).toBe(file);
    expect(brokenReferences(scenario)).toEqual([]);
  });

  test('has six injects or more, in order of play, a minute of their own each', () => {
    const offsets = injects.map((inject) => inject.offset_minutes);
    expect(injects.length).toBeGreaterThanOrEqual(6);
    expect(offsets).toEqual([...new Set(offsets)].sort((one, other) => one - other));
  });

  test('has a contingency that depends on a decision, and a complexity', () => {
    const types = injects.map((inject) => inject.type);
    expect(types).toContain('complexity');
    expect(injects.some((inject) => inject.type === 'contingency' && inject.only_if)).toBe(true);
  });

  test('every inject has 2 to 4 expected actions, objectives, addressees, questions and notes', () => {
    for (const inject of injects) {
      expect([2, 3, 4]).toContain(inject.expected_actions.length);
      for (const part of [
        inject.objective_ids,
        inject.to,
        inject.discussion_questions,
        inject.facilitator_notes,
      ])
        expect(part.length).toBeGreaterThan(0);
    }
  });

  test('every expected action can be recognised and timed; some are critical, not all', () => {
    const unfit = actions.filter((action) => action.keywords.length < 3 || !action.target_minutes);
    expect(unfit.map((action) => action.place)).toEqual([]);
    const critical = actions.filter((action) => action.critical).length;
    expect(critical).toBeGreaterThan(0);
    expect(critical).toBeLessThan(actions.length / 2);
  });

  test('keywords are words in lower case without punctuation, each given once', () => {
    for (const action of actions) {
      expect(action.keywords.filter((keyword) => !/^[a-z0-9]+( [a-z0-9]+)*$/.test(keyword))).toEqual([]);
      expect(new Set(action.keywords).size).toBe(action.keywords.length);
    }
  });

  test('every objective is mapped to subcategories that CSF 2.0 has, and exercised by an inject', () => {
    for (const objective of objectives) {
      expect(objective.controls.length).toBeGreaterThan(0);
      for (const { framework, control } of objective.controls) {
        expect(framework).toBe('nist-csf-2.0');
        expect(CSF_IDS).toContain(control);
      }
      expect(injects.some((inject) => inject.objective_ids.includes(objective.id))).toBe(true);
    }
  });

  test('the techniques of the injects are those of the threat', () => {
    const used = new Set(injects.flatMap((inject) => inject.techniques));
    expect([...used].sort()).toEqual([...scenario.threat.techniques].sort());
  });

  test('every role is addressed', () => {
    const addressed = new Set(injects.flatMap((inject) => inject.to));
    expect(scenario.roles.map((role) => role.id).filter((id) => !addressed.has(id))).toEqual([]);
  });
});
