import { describe, expect, test } from '@jest/globals';
import { scenarioContent, scenarioDraft, scenarioFilename } from '@muster/contracts';
import { property, string, assert as sure } from 'fast-check';
import { v7 } from 'uuid';
import { draftFilename, draftProblems } from './draft.rules.ts';

const ID = '01923f5e-7b1a-7c3d-9e2f-5a6b7c8d9e0f';

describe("a draft's name", () => {
  test('is its title in plain letters and the end of its id', () => {
    expect(draftFilename('Ransomware: Äkira im Krankenhaus', ID)).toBe(
      'ransomware-akira-im-krankenhaus-7c8d9e0f.json',
    );
    expect(draftFilename('勒索', ID)).toBe('scenario-7c8d9e0f.json');
  });

  test('is one that the library takes, whatever the title', () => {
    sure(
      property(string({ unit: 'grapheme', maxLength: 200 }), (title) => {
        const name = draftFilename(title, v7());
        expect(scenarioFilename.safeParse(name).error).toBeUndefined();
      }),
    );
  });
});

describe('a draft', () => {
  const { filename, source, ...content } = scenarioDraft.parse(scenarioDraft.meta()?.example).scenario;
  const techniques = [{ id: 'T1486', name: '', evidence: [] }];

  test('that holds together and stays with its item is fine', () => {
    expect(draftProblems(content, { techniques })).toEqual([]);
  });

  test('may name no technique that its item does not show, and nothing that is not there', () => {
    const foreign = scenarioContent.parse({
      ...content,
      threat: { techniques: ['T1059'] },
      injects: content.injects.map((inject) => ({ ...inject, objective_ids: ['O9'] })),
    });
    expect(draftProblems(foreign, { techniques })).toEqual([
      expect.stringContaining('/injects/0/objective_ids'),
      'the item does not show T1059',
    ]);
  });
});
