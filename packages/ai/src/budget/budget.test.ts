import { expect, test } from '@jest/globals';
import { memoryBudget } from './budget.ts';

test('what is set aside is not there for others, and what is left of it comes back', () => {
  const budget = memoryBudget(100);
  expect(budget.reserve(80)).toBe(true);
  expect(budget.reserve(30)).toBe(false);
  budget.spent(50, 80);
  expect(budget.left()).toBe(50);
  expect(budget.reserve(50)).toBe(true);
});
