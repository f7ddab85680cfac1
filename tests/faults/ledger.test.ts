import { expect, test } from '@jest/globals';
import { account } from './ledger.ts';

test('negative control: the accounting sees what is lost, doubled and a ghost', () => {
  const entries = [
    { key: 'a', id: '1' },
    { key: 'b', id: '2' },
    { key: 'unanswered', id: null },
  ];
  const stored = [
    { id: '2', key: 'b' },
    { id: '3', key: 'b' },
    { id: '4', key: 'c' },
  ];
  expect(account(entries, stored)).toEqual({ lost: ['a'], doubled: ['b'], ghosts: ['4'] });
});
