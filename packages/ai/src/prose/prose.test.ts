import { expect, test } from '@jest/globals';
import { bare, clipped, counted, duration, inside, listed, paragraph } from './prose.ts';

test('lists', () => {
  expect(listed([])).toBe('');
  expect(listed(['a', 'b'])).toBe('a and b');
  expect(listed(['a', 'b', 'c', 'd'], 2)).toBe('a, b and 2 more');
  expect(listed(['a, b', 'c', 'd'])).toBe('a, b; c; and d');
});

test('sentences inside others', () => {
  expect(inside('Isolate the hosts.')).toBe('isolate the hosts');
  expect(inside('IT decides')).toBe('IT decides');
  expect(bare(' a\n\u0000 b. ')).toBe('a b');
  expect(paragraph(['One', null, 'Two?', '', 'Three…'])).toBe('One. Two? Three…');
});

test('cuts at a word, and never through a character', () => {
  expect(clipped('one two three', 20)).toBe('one two three');
  expect(clipped('one two three', 9)).toBe('one two…');
  expect(clipped('😀'.repeat(10), 6)).toBe('😀😀…');
});

test('durations', () => {
  expect([0, 1, 12, 12.5, 60, 120, 190, 1440, 4320].map(duration)).toEqual([
    ...[
      '0 minutes',
      '1 minute',
      '12 minutes',
      '13 minutes',
      '60 minutes',
      '2 hours',
      '3 h 10',
      '24 hours',
      '3 days',
    ],
  ]);
  expect([counted(1, 'gap'), counted(0, 'gap')]).toEqual(['1 gap', '0 gaps']);
});
