import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { outboxRow } from './emit.ts';

test('positions sort the rows of an aggregate by version, then by id', () => {
  const version = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
  fc.assert(
    fc.property(fc.string(), version, version, (subject, first, second) => {
      const position = (seq: number, id: string) =>
        outboxRow(
          {
            specversion: '1.0',
            source: '/x',
            type: 'x.y.z.v1',
            datacontenttype: 'application/json',
            id,
            orgid: 'o',
            subject,
            seq,
            data: {},
            time: '',
          },
          'thing',
        ).position;
      expect(position(first, 'z') < position(second, 'a')).toBe(first < second);
      expect(position(first, 'a') < position(first, 'b')).toBe(true);
    }),
  );
});
