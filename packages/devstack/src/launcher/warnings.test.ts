import { expect, test } from '@jest/globals';
import { inShort, warnings } from './warnings.ts';

test('ordinary lines are kept from the terminal', () => {
  expect(inShort('{"level":30,"msg":"ready"}')).toBeUndefined();
  expect(inShort('plain words')).toBeUndefined();
  expect(inShort('null')).toBeUndefined();
});

test('warnings and errors are shown in short', () => {
  expect(inShort('{"level":40,"msg":"slow"}')).toBe('warning: slow');
  expect(inShort('{"level":50,"msg":"failed","err":{"message":"no disk"}}')).toBe('error: failed: no disk');
  expect(inShort('{"level":60,"msg":"no disk","err":{"message":"no disk"}}')).toBe('error: no disk');
  expect(inShort('TypeError: x is not a function')).toBe('error: TypeError: x is not a function');
});

test('a flood is cut to a few lines and the name of the log', () => {
  const said: string[] = [];
  const see = warnings('exercises', 'exercises.log', (line) => said.push(line));
  for (let n = 0; n < 100; n += 1) see(`{"level":50,"msg":"failure ${n}"}`);
  expect(said).toHaveLength(6);
  expect(said[0]).toBe('exercises error: failure 0');
  expect(said[5]).toBe('exercises says more in exercises.log');
});
