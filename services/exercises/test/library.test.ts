import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  CAPABILITIES,
  CATEGORIES,
  CHANNELS,
  type Inject,
  REGULATIONS,
  scenarioContent,
} from '@muster/contracts';
import fc from 'fast-check';
import { regulatoryClocks } from '../src/regulatory/regulatory.rules.ts';
import { libraryFiles } from '../src/scenarios/library.model.ts';
import { library } from '../src/scenarios/library.service.ts';
import { checkFiles } from '../src/scenarios/scenario.command.ts';
import { contentHash } from '../src/scenarios/scenario.rules.ts';

const injects = library.flatMap(({ content }) => content.injects);
const distinct = <T>(values: readonly T[]) => [...new Set(values)].sort();

test.each(libraryFiles())('%s meets the standard of the library', (file) => {
  expect(checkFiles([file])).toEqual([]);
});

/** A response for each action of an inject, at its share of the minutes that the author gives it. */
function responsesTo({ id, offset_minutes, expected_actions }: Inject, share: () => number) {
  return expected_actions.map((action) => ({
    inject_id: id,
    at_minutes: offset_minutes + share() * (action.target_minutes ?? 0),
    actions: [action.id],
    decision: '',
    notes: '',
  }));
}

// Otherwise a table could do all that is expected of it, on time, and still miss a deadline of the law.
test.each(library)('$filename: who does every action within its target meets every clock', ({ content }) => {
  const shares = fc.infiniteStream(fc.constantFrom(0, 0.5, 1));
  fc.assert(
    fc.property(shares, (stream) => {
      const responses = content.injects.flatMap((inject) =>
        responsesTo(inject, () => stream.next().value ?? 1),
      );
      const clocks = regulatoryClocks({ scenario: content, responses, now_minutes: null });
      expect(clocks.filter(({ status }) => status !== 'met')).toEqual([]);
    }),
    { numRuns: 25 },
  );
});

describe('the library', () => {
  test('holds 15 scenarios or more, each of its own', () => {
    expect(library.length).toBeGreaterThanOrEqual(15);
    expect(distinct(library.map(({ content }) => content.title))).toHaveLength(library.length);
    expect(distinct(library.map(({ content }) => contentHash(content)))).toHaveLength(library.length);
  });

  test('covers every category, capability, channel and regulation', () => {
    const objectives = library.flatMap(({ content }) => content.objectives);
    expect(distinct(library.map(({ content }) => content.category))).toEqual(distinct(CATEGORIES));
    expect(distinct(objectives.map(({ capability }) => capability))).toEqual(distinct(CAPABILITIES));
    expect(distinct(injects.map(({ channel }) => channel))).toEqual(distinct(CHANNELS));
    expect(distinct(injects.flatMap(({ regulatory }) => regulatory ?? []))).toEqual(distinct(REGULATIONS));
  });

  test('uses the names and addresses that are kept for documentation', () => {
    const text = library.map(({ content }) => JSON.stringify(scenarioContent.parse(content))).join('\n');
    const domains = text.match(/\b[a-z0-9-]+(\.[a-z0-9-]+)*\.(com|net|org|edu|io|eu|info|biz)\b/g) ?? [];
    const addresses = text.match(/\b\d{1,3}(\.\d{1,3}){3}\b/g) ?? [];
    expect(domains.filter((name) => !/(^|\.)example\.(com|net|org)$/.test(name))).toEqual([]);
    expect(addresses.filter((ip) => !/^(192\.0\.2|198\.51\.100|203\.0\.113)\./.test(ip))).toEqual([]);
  });

  test('is read from the files as they stand', () => {
    const files = libraryFiles().map((file) => JSON.parse(readFileSync(file, 'utf8')));
    expect(files.map(({ filename, ...content }) => ({ filename, content }))).toEqual(library);
  });
});
