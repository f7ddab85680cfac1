import { expect, test } from '@jest/globals';
import { recentlyUsed } from './recent.ts';

test('what was not used for longest makes room', () => {
  const kept = recentlyUsed<number>(2);
  kept.set('a', 1);
  kept.set('b', 2);
  kept.get('a');
  kept.set('c', 3);
  expect(['a', 'b', 'c'].map(kept.get)).toEqual([1, undefined, 3]);
});

test('an entry is dropped, or only while it is the one that is meant', () => {
  const kept = recentlyUsed<number>(2);
  kept.set('a', 1);
  kept.drop('a', 2);
  expect(kept.get('a')).toBe(1);
  kept.drop('a', 1);
  kept.set('b', 2);
  kept.drop('b');
  expect(['a', 'b'].map(kept.get)).toEqual([undefined, undefined]);
});
