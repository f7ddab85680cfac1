import { expect, test } from '@jest/globals';
import { CommandError, codeOf, commandErrorOf, failure, unpacked } from './codes.ts';
import { SqlError, SqlGone } from './sql.messages.ts';

test("the engine's states have MongoDB's codes", () => {
  const known = {
    M0000: 1,
    M0001: 2,
    M0008: 26,
    M001C: 11000,
    M00EQ: 31321,
    40001: 112,
    57014: 50,
    '23505': 11000,
  };
  for (const [state, code] of Object.entries(known)) expect(codeOf(state)).toBe(code);
  expect(codeOf('XX000')).toBe(1);
});

test('codes packed into a number are unpacked, others stay', () => {
  expect(unpacked(319_029_277)).toBe(11000);
  expect(unpacked(16_908_292)).toBe(112);
  expect(unpacked(121)).toBe(121);
});

test('a client is told code, name, words and labels', () => {
  expect(failure(commandErrorOf(new SqlError('M0004', 'a number is needed')))).toEqual({
    ok: 0,
    code: 14,
    codeName: 'TypeMismatch',
    errmsg: 'a number is needed',
  });
  expect(commandErrorOf(new SqlGone('gone'))).toMatchObject({ code: 91 });
  const error = new CommandError(112, 'conflict', ['TransientTransactionError'], { more: 1 });
  expect(failure(error)).toMatchObject({ errorLabels: ['TransientTransactionError'], more: 1 });
});
