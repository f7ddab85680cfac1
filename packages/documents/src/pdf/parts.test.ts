import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Run } from '../model/document.ts';
import { parts } from './parts.ts';

const run = (text: string): Run => ({ kind: 'text', text });
const textOf = (part: Run[]) => part.map(({ text }) => text).join('');

test('a short text is one part, as it is', () => {
  expect(parts([run('a \n'), run('b')], 100)).toEqual([[run('a \n'), run('b')]]);
  expect(parts([], 100)).toEqual([[]]);
});

test('cuts at the end of a sentence before the end of a word', () => {
  expect(parts([run('One two. Three four')], 14).map(textOf)).toEqual(['One two.', ' Three four']);
});

test('loses nothing but spaces, and keeps every part within its bounds', () => {
  const texts = fc.array(fc.string({ unit: fc.constantFrom('a', '.', ' ', '\n'), maxLength: 300 }), {
    maxLength: 5,
  });
  fc.assert(
    fc.property(texts, fc.integer({ min: 61, max: 200 }), (given, most) => {
      const found = parts(given.map(run), most);
      expect(found.map(textOf).join('').replace(/\s/g, '')).toBe(given.join('').replace(/\s/g, ''));
      for (const part of found) {
        const breaks = textOf(part).split('\n').length - 1;
        expect(textOf(part).length + breaks * 59).toBeLessThanOrEqual(most);
      }
    }),
  );
});
