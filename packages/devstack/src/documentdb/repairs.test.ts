import { expect, test } from '@jest/globals';
import { type Document, deserialize, Long, serialize } from 'bson';
import { repaired } from './repairs.ts';

const after = (spec: Document): Document =>
  deserialize(repaired(Buffer.from(serialize(spec))), { promoteValues: false });
const stages = (...pipeline: Document[]): Document => ({ aggregate: 'rows', pipeline, cursor: {} });

test('a command without the suspects is passed on as it is', () => {
  const bytes = Buffer.from(serialize(stages({ $match: { n: Long.fromNumber(1) } })));
  expect(repaired(bytes)).toBe(bytes);
});

test('counting is grouping, also within a facet, and the accumulator of that name stays', () => {
  const count = [{ $group: { _id: null, n: { $sum: 1 } } }, { $project: { _id: 0 } }];
  const said = after(stages({ $facet: { a: [{ $count: 'n' }] } }, { $group: { _id: 1, n: { $count: {} } } }));
  const meant = stages({ $facet: { a: count } }, { $group: { _id: 1, n: { $count: {} } } });
  expect(said).toEqual(deserialize(serialize(meant), { promoteValues: false }));
});

test('values beside a repair keep their types', () => {
  const { pipeline } = after(
    stages({ $match: { n: Long.fromNumber(1), d: new Date(5), x: 1.0 } }, { $count: 'n' }),
  );
  expect(pipeline[0].$match).toMatchObject({ n: Long.fromNumber(1), d: new Date(5) });
});

test('truncating by day and week is said in parts; by several of them it is refused', () => {
  const by = (more: Document) => stages({ $project: { t: { $dateTrunc: { date: '$at', ...more } } } });
  expect(JSON.stringify(after(by({ unit: 'day' })))).not.toContain('$dateTrunc');
  expect(JSON.stringify(after(by({ unit: 'week', startOfWeek: 'monday' })))).toContain('$dateSubtract');
  expect(JSON.stringify(after(by({ unit: 'month' })))).toContain('$dateTrunc');
  expect(() => after(by({ unit: 'day', binSize: 2 }))).toThrow('several days');
});
