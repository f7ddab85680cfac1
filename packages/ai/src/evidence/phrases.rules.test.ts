import { expect, test } from '@jest/globals';
import { findPhrases, phraseBook } from './phrases.rules.ts';
import { sentencesOf } from './sentences.rules.ts';

const BOOK = phraseBook([
  { phrases: 'not, not only, decide … against, put … off', meaning: 'stem' },
  { phrases: '=may', meaning: 'form' },
]);

test.each([
  ['We did not', ['not']],
  ['not only we', ['not only']],
  ['deciding against it', ['deciding against']],
  ['decided very firmly against it', ['decided very firmly against']],
  ['decided one two three four against', ['decided one two three four against']],
  ['decided one two three four five against', []],
  ['decided, against advice', []],
  ['put it off and not now', ['put it off', 'not']],
  ['put off', ['put off']],
  ['put', []],
  ['may mays', ['may']],
])('%j', (text, expected) => {
  const words = sentencesOf(text).flatMap((sentence) => sentence.words);
  const found = findPhrases(words, BOOK).map(({ at, end }) => {
    const part = words.slice(at, end).map((word) => word.text);
    return part.join(' ');
  });
  expect(found).toEqual(expected);
});
