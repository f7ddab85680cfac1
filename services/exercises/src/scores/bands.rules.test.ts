import { expect, test } from '@jest/globals';
import type { Observation, Rating } from '@muster/contracts';
import { maturityLevelOf, observedRatings, ratingOf, rounded, worse } from './bands.rules.ts';

test.each([
  [100, 'P'],
  [80, 'P'],
  [79.99, 'S'],
  [65, 'S'],
  [64.99, 'M'],
  [50, 'M'],
  [49.99, 'U'],
  [0, 'U'],
])('%d is rated %s', (score, rating) => {
  expect(ratingOf(score)).toBe(rating);
});

test.each([
  [0, 1],
  [39.99, 1],
  [40, 2],
  [59.99, 2],
  [60, 3],
  [74.99, 3],
  [75, 4],
  [89.99, 4],
  [90, 5],
  [100, 5],
])('%d is maturity level %d', (score, level) => {
  expect(maturityLevelOf(score)).toBe(level);
});

test('own bands move the borders', () => {
  expect([95, 94, 60, 59].map((score) => ratingOf(score, { P: 95, S: 90, M: 60 }))).toEqual([
    'P',
    'S',
    'M',
    'U',
  ]);
});

test('rounds to two decimals', () => {
  expect([200 / 3, 79.9951, 100, 0].map(rounded)).toEqual([66.67, 80, 100, 0]);
});

test('the worse of two ratings is the more cautious one', () => {
  expect([worse('P', 'M'), worse('M', 'P'), worse('U', 'S'), worse('S', 'S')]).toEqual(['M', 'M', 'U', 'S']);
});

const note = (rating: Rating | null, observer: string, objective_id = 'O1'): Observation => ({
  objective_id,
  rating,
  observer,
  note: '',
});

test('the last rating of an observer counts, and a note without one takes nothing back', () => {
  expect(observedRatings([note('U', 'Ann'), note('P', ' ann '), note(null, 'Ann')]).get('O1')).toBe('P');
});

test('of several observers the most cautious counts, each objective by itself', () => {
  const rated = observedRatings([note('M', 'Ann'), note('P', 'Ben'), note('S', ''), note('P', 'Ann', 'O2')]);
  expect([...rated]).toEqual([
    ['O1', 'M'],
    ['O2', 'P'],
  ]);
});

test('who only took notes has rated nothing', () => {
  expect(observedRatings([note(null, 'Ann')]).size).toBe(0);
});
