import { describe, expect, test } from '@jest/globals';
import { clausesOf, settledWords } from './clauses.rules.ts';
import { sentencesOf } from './sentences.rules.ts';

const wordsIn = (text: string) => sentencesOf(text).flatMap(({ words }) => words);

describe('clauses', () => {
  test.each([
    ['we isolated the hosts but did not call', ['start: we isolated the hosts', 'turn: but did not call']],
    ['isolate and call or wait', ['start: isolate', 'and: and call', 'or: or wait']],
    ['isolation: done, not late', ['start: isolation', 'label: done', 'mark: not late']],
    ['not yet isolated, yet we wait', ['start: not yet isolated', 'turn: yet we wait']],
    ['we did so at once', ['start: we did so at once']],
    ['wait until it is done', ['start: wait until it is done']],
    ['we waited until it was done', ['start: we waited', 'turn: until it was done']],
    ['off in order to save it', ['start: off', 'turn: in order to save it']],
  ])('%s', (text, expected) => {
    const words = wordsIn(text);
    const found = clausesOf(words).map(({ opener, from, to }) => {
      const part = words.slice(from, to).map((word) => word.text);
      return `${opener}: ${part.join(' ')}`;
    });
    expect(found).toEqual(expected);
  });

  test('know whether they have a subject or auxiliary, a past verb, and anything to say', () => {
    const [first, second, third] = clausesOf(wordsIn('hosts isolated, the isolated hosts, we were'));
    expect(first).toMatchObject({ standsAlone: false, hasPastVerb: true, says: true });
    expect(second).toMatchObject({ standsAlone: false, hasPastVerb: false, says: true });
    expect(third).toMatchObject({ standsAlone: true, hasPastVerb: false, says: false });
  });
});

test.each([
  ['later we isolated the hosts', 'isolated the hosts'],
  ['we decided to isolate the hosts', ''],
  ['the hosts will be isolated', ''],
  ['hosts to be isolated', ''],
  ['we called the bank and inform legal', 'called the bank'],
  ['we called the bank and the police', 'called the bank and the police'],
])('what has happened in "%s": %j', (text, expected) => {
  const words = wordsIn(text);
  const settled = settledWords(words, clausesOf(words));
  const happened = words.filter((_, at) => settled[at]).map((word) => word.text);
  expect(happened.join(' ')).toBe(expected);
});
