import { expect, test } from '@jest/globals';
import { isEngineDown } from './engine.ts';

const named = (name: string, more = {}) => Object.assign(new Error('x'), { name }, more);

test.each([
  [named('MongoNetworkError'), true],
  [named('MongoServerSelectionError'), true],
  [named('MongoServerError', { code: 10107 }), true],
  [named('MongoServerError', { code: 14031 }), true],
  [new Error('wrapped', { cause: named('MongoPoolClearedError') }), true],
  [named('MongoBulkWriteError', { errorResponse: named('MongoPoolClearedError') }), true],
  [named('MongoServerError', { code: 11000 }), false],
  [named('MongoServerError', { code: 112 }), false],
  [named('Error', { code: 'ECONNREFUSED' }), true],
  [named('Error', { code: 'bad-gateway', cause: named('Error', { code: 'ECONNREFUSED' }) }), false],
  [new Error('the soup is cold'), false],
  ['MongoNetworkError', false],
  [undefined, false],
])('%p: away is %p', (error, away) => {
  expect(isEngineDown(error)).toBe(away);
});
