import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cursors, paginate } from './cursor.ts';
import { AppError } from './errors.ts';

const codec = cursors('a secret of at least thirty-two characters');
const positions = fc.record({ after: fc.array(fc.string({ unit: 'binary' })), total: fc.nat() });
/** The refusal that a bad cursor meets. */
const refusal = expect.objectContaining({
  code: 'validation-failed',
  errors: [expect.objectContaining({ path: '/cursor', code: 'invalid_cursor', in: 'query' })],
});

function refused(scope: string, cursor: string): boolean {
  try {
    codec.decode(scope, cursor);
  } catch (error) {
    if (error instanceof AppError && error.errors?.[0]?.code === 'invalid_cursor') return true;
    throw error;
  }
  return false;
}

describe('a cursor', () => {
  test('gives back what it was made of', () => {
    fc.assert(
      fc.property(fc.string(), positions, (scope, position) => {
        const cursor = codec.encode(scope, position);
        expect(cursor).toMatch(/^[\w-]+\.[\w-]{43}$/);
        expect(codec.decode(scope, cursor)).toEqual(position);
      }),
    );
  });

  test('is refused with any one character put in place of another', () => {
    const cursor = codec.encode('org sessions', {
      after: ['01923f5e-7b1a-7c3d-9e2f-5a6b7c8d9e0f'],
      total: 7,
    });
    const alphabet = `${'ABCDEFGHIJKLMNOPQRSTUVWXYZ'}${'abcdefghijklmnopqrstuvwxyz'}0123456789-_.+/= !`;
    const accepted = [...cursor].flatMap((was, at) =>
      [...alphabet]
        .filter((now) => now !== was)
        .map((now) => cursor.slice(0, at) + now + cursor.slice(at + 1))
        .filter((edited) => !refused('org sessions', edited)),
    );
    expect(accepted).toEqual([]);
  });

  test('is refused shorter, longer, or as anything else', () => {
    const cursor = codec.encode('s', { after: ['a'], total: 1 });
    const added = fc.string({ minLength: 1 });
    fc.assert(fc.property(added, (more) => refused('s', cursor + more) && refused('s', more + cursor)));
    fc.assert(fc.property(fc.nat({ max: cursor.length - 1 }), (to) => refused('s', cursor.slice(0, to))));
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (any) => refused('s', any)));
  });

  test('is refused for another list, organization or secret', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), positions, (one, other, position) => {
        fc.pre(one !== other);
        expect(refused(other, codec.encode(one, position))).toBe(true);
      }),
    );
    const elsewhere = cursors('another secret of thirty-two characters').encode('s', { after: [], total: 0 });
    expect(refused('s', elsewhere)).toBe(true);
  });
});

describe('paginate', () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ _id: `id-${String(count - at).padStart(3, '0')}` }));

  test('walks through every row once, newest first, and counts once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 30 }), fc.integer({ min: 1, max: 12 }), async (count, limit) => {
        const all = rows(count);
        let counted = 0;
        const pages: string[][] = [];
        for (let given: string | undefined; ; ) {
          const page = await paginate(
            { codec, scope: 's', given, limit },
            {
              read: async (below, most) => all.filter(({ _id }) => !below || _id < below).slice(0, most),
              count: async () => {
                counted += 1;
                return count;
              },
              item: ({ _id }) => _id,
            },
          );
          expect(page.total).toBe(count);
          pages.push(page.items);
          if (page.next_cursor === null) break;
          given = page.next_cursor;
        }
        expect(pages.flat()).toEqual(all.map(({ _id }) => _id));
        expect(pages.slice(0, -1).every((items) => items.length === limit)).toBe(true);
        expect(pages).toHaveLength(Math.max(1, Math.ceil(count / limit)));
        expect(counted).toBe(1);
      }),
    );
  });

  test('refuses a cursor of another list before it reads', async () => {
    const given = codec.encode('other', { after: ['x'], total: 1 });
    const list = {
      read: async () => {
        throw new Error('It was read');
      },
      count: async () => 0,
      item: () => 0,
    };
    await expect(paginate({ codec, scope: 's', given, limit: 5 }, list)).rejects.toEqual(refusal);
  });
});
