import { beforeAll, expect, test } from '@jest/globals';
import type { Ground } from './ground.ts';

const day = (n: number) => new Date(Date.UTC(2026, 0, n, 13, 30));

/** The stages and expressions that read models are made with. */
export function aggregations({ db }: Ground): void {
  const sessions = db.collection<{ _id: number; [field: string]: unknown }>('sessions');
  beforeAll(async () => {
    await sessions.insertMany([
      { _id: 1, org_id: 'a', at: day(1), score: 40, gaps: ['mfa', 'backup'], team: { name: 'red' } },
      { _id: 2, org_id: 'a', at: day(1), score: 60, gaps: ['mfa'], team: { name: 'blue' } },
      { _id: 3, org_id: 'a', at: day(9), score: 80, gaps: [], team: { name: 'red' } },
      { _id: 4, org_id: 'b', at: day(9), score: 10, gaps: ['mfa'], team: { name: 'red' } },
    ]);
    await db.collection<{ _id: string }>('gaps').insertMany([
      { _id: 'mfa', title: 'No second factor' },
      { _id: 'backup', title: 'No backup' },
    ] as never);
  });
  const run = (...stages: object[]) => sessions.aggregate(stages).toArray();

  test('match, group, sort', async () => {
    const group = { _id: '$team.name', n: { $sum: 1 }, mean: { $avg: '$score' }, best: { $max: '$score' } };
    expect(await run({ $match: { org_id: 'a' } }, { $group: group }, { $sort: { n: -1 } })).toEqual([
      { _id: 'red', n: 2, mean: 60, best: 80 },
      { _id: 'blue', n: 1, mean: 60, best: 60 },
    ]);
  });

  test('unwind and count', async () => {
    expect(await run({ $unwind: '$gaps' }, { $sortByCount: '$gaps' })).toEqual([
      { _id: 'mfa', count: 3 },
      { _id: 'backup', count: 1 },
    ]);
    expect(await run({ $match: { score: { $gt: 20 } } }, { $count: 'n' })).toEqual([{ n: 3 }]);
    expect(await run({ $match: { score: { $gt: 500 } } }, { $count: 'n' })).toEqual([]);
  });

  test('facets see the same documents', async () => {
    const total = [{ $count: 'n' }];
    const top = [{ $sort: { score: -1 } }, { $limit: 1 }, { $project: { score: 1 } }];
    expect(await run({ $match: { org_id: 'a' } }, { $facet: { total, top } })).toEqual([
      { total: [{ n: 3 }], top: [{ _id: 3, score: 80 }] },
    ]);
  });

  test('time is cut into days and weeks', async () => {
    const at = { date: '$at', unit: 'day', timezone: 'Asia/Tokyo' };
    expect(await run({ $match: { _id: 4 } }, { $project: { day: { $dateTrunc: at } } })).toEqual([
      { _id: 4, day: new Date('2026-01-08T15:00:00Z') },
    ]);
    const week = { $dateTrunc: { date: '$at', unit: 'week', startOfWeek: 'monday' } };
    expect(await run({ $group: { _id: week, n: { $sum: 1 } } }, { $sort: { _id: 1 } })).toEqual([
      { _id: new Date('2025-12-29'), n: 2 },
      { _id: new Date('2026-01-05'), n: 2 },
    ]);
    const date = { $dateToString: { date: '$at', format: '%Y-%m-%d' } };
    expect(await run({ $group: { _id: date } }, { $sort: { _id: 1 } })).toEqual([
      { _id: '2026-01-01' },
      { _id: '2026-01-09' },
    ]);
  });

  test('lookup joins', async () => {
    const lookup = { from: 'gaps', localField: 'gaps', foreignField: '_id', as: 'found' };
    const stages = [{ $match: { _id: 2 } }, { $lookup: lookup }, { $project: { found: 1 } }];
    expect(await run(...stages)).toEqual([{ _id: 2, found: [{ _id: 'mfa', title: 'No second factor' }] }]);
  });

  test('expressions compute', async () => {
    const set = {
      grade: { $cond: [{ $gte: ['$score', 60] }, 'good', 'poor'] },
      open: { $size: '$gaps' },
      loud: { $map: { input: '$gaps', as: 'gap', in: { $toUpper: '$$gap' } } },
      rest: { $filter: { input: '$gaps', as: 'gap', cond: { $ne: ['$$gap', 'mfa'] } } },
      ratio: { $round: [{ $divide: ['$score', 3] }, 2] },
      missing: { $ifNull: ['$nothing', 'none'] },
    };
    const project = {
      $project: { ...Object.fromEntries(Object.keys(set).map((name) => [name, 1])), _id: 0 },
    };
    expect(await run({ $match: { _id: 1 } }, { $set: set }, project)).toEqual([
      { grade: 'poor', open: 2, loud: ['MFA', 'BACKUP'], rest: ['backup'], ratio: 13.33, missing: 'none' },
    ]);
  });

  test('first and last of a group follow the sort', async () => {
    const group = {
      _id: '$org_id',
      first: { $first: '$_id' },
      last: { $last: '$_id' },
      all: { $push: '$score' },
    };
    expect(await run({ $sort: { at: 1, _id: 1 } }, { $group: group }, { $sort: { _id: 1 } })).toEqual([
      { _id: 'a', first: 1, last: 3, all: [40, 60, 80] },
      { _id: 'b', first: 4, last: 4, all: [10] },
    ]);
  });

  test('buckets and merging into another collection', async () => {
    const bucket = { groupBy: '$score', boundaries: [0, 50, 101], output: { n: { $sum: 1 } } };
    await run({ $bucket: bucket }, { $merge: { into: 'histogram', on: '_id', whenMatched: 'replace' } });
    expect(await db.collection('histogram').find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 0, n: 2 },
      { _id: 50, n: 2 },
    ]);
  });

  test('an unknown stage is refused', async () => {
    await expect(run({ $nothing: {} })).rejects.toMatchObject({ code: 40324 });
  });
}
