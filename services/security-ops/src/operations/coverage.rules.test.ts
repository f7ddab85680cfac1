import { describe, expect, test } from '@jest/globals';
import { type CoverageState, navigatorLayer, TECHNIQUE_RESULTS } from '@muster/contracts';
import fc from 'fast-check';
import type { CoverageDoc } from './coverage.model.ts';
import { byState, coverageLayer, coverageOf, currentOf, inOrderOfPriority } from './coverage.rules.ts';

const AT = new Date('2026-03-01T09:00:00.000Z');
const mark = (count = 1) => ({ count, at: AT, ref: 'ref', title: 'Title' });
const rowOf = (marks: Partial<CoverageDoc>): CoverageDoc => ({
  _id: 'org.T1486',
  org_id: 'org',
  technique: 'T1486',
  ...marks,
});
const proved = (result: (typeof TECHNIQUE_RESULTS)[number]) => ({ proved: { ...mark(), result } });

describe('the state and priority', () => {
  test.each<[string, Partial<CoverageDoc>, CoverageState, number]>([
    ['wanted', { wanted: mark() }, 'wanted', 70],
    ['seen', { seen: mark() }, 'seen', 45],
    ['wanted and seen', { wanted: mark(), seen: mark() }, 'wanted', 100],
    ['talked through', { exercised: mark() }, 'talked_through', 12],
    ['talked through and wanted', { exercised: mark(), wanted: mark() }, 'talked_through', 42],
    ['tested and missed, though talked through', { exercised: mark(), ...proved('missed') }, 'missed', 20],
    ['only logged', proved('logged'), 'logged', 8],
    ['detected', { wanted: mark(), ...proved('detected') }, 'proved', 0],
    ['prevented', { wanted: mark(), seen: mark(), ...proved('prevented') }, 'proved', 0],
  ])('of what is %s', (_name, marks, state, priority) => {
    expect(coverageOf(rowOf(marks))).toMatchObject({ state, priority });
  });

  test('of nothing is nothing', () => {
    expect(coverageOf(rowOf({ wanted: mark(0), exercised: mark(0) }))).toBeNull();
    expect(coverageOf({ ...rowOf({ wanted: mark() }), technique: 'T9999' })).toBeNull();
  });
});

test('the explanation says all that is known, in words', () => {
  const marks = { exercised: mark(2), seen: mark(1), wanted: mark(3), ...proved('detected') };
  expect(coverageOf(rowOf(marks))?.explanation).toBe(
    'Talked through in 2 exercises, last on 2026-03-01 in “Title”. ' +
      'Tested in 1 operation, last on 2026-03-01 in “Title”: detected. ' +
      'Seen in 1 event, last received on 2026-03-01. Used in 3 threat reports, last in “Title” (2026-03-01).',
  );
  expect(coverageOf(rowOf({ wanted: mark() }))?.explanation).toMatch(/^Never talked.*Never tested/);
});

test('a source speaks of each technique once, under the id of today, by its worst result', () => {
  const spoken = currentOf([
    { technique: 'T1086', at: AT, result: 'prevented' },
    { technique: 'T1059.001', at: AT, result: 'logged' },
    { technique: 'T9999', at: AT, result: 'missed' },
  ]);
  expect(spoken).toEqual([{ technique: 'T1059.001', at: AT, result: 'logged' }]);
});

test('for any rows: priorities fall and stay within 0..100, every state is counted, the layer is whole', () => {
  const some = fc.option(
    fc.integer({ min: 0, max: 5 }).map((count) => mark(count)),
    { nil: undefined },
  );
  const row = fc.record({
    technique: fc.constantFrom('T1486', 'T1566.001', 'T1003', 'T1110'),
    exercised: some,
    wanted: some,
    seen: fc.option(fc.constant(mark()), { nil: undefined }),
    proved: fc.option(
      fc.constantFrom(...TECHNIQUE_RESULTS.slice(0, 4)).map((result) => ({ ...mark(), result })),
      { nil: undefined },
    ),
  });
  fc.assert(
    fc.property(fc.array(row), (rows) => {
      const items = inOrderOfPriority(rows.flatMap((one) => coverageOf(rowOf(one)) ?? []));
      const priorities = items.map(({ priority }) => priority);
      expect(priorities).toEqual(priorities.toSorted((a, b) => b - a));
      for (const priority of priorities) expect(priority).toBe(Math.min(100, Math.max(0, priority)));
      expect(Object.values(byState(items)).reduce((sum, count) => sum + count, 0)).toBe(items.length);
      expect(navigatorLayer.parse(coverageLayer(items, 'enterprise')).techniques).toHaveLength(items.length);
    }),
  );
});
