import { describe, expect, test } from '@jest/globals';
import { sentencesOf } from './sentences.rules.ts';

const texts = (text: string) =>
  sentencesOf(text).map(({ words }) => words.map((word) => word.text).join(' '));
const words = (text: string) => sentencesOf(text).flatMap((sentence) => sentence.words);

describe('sentences', () => {
  test.each([
    ['We met. We left', ['we met', 'we left']],
    ['Stop! Now… go', ['stop', 'now go']],
    ['We met.Then we left', ['we met', 'then we left']],
    ['e.g. the host, i.e. approx. two', ['e g the host i e approx two']],
    ['Version 10.0 of svchost.exe', ['version 10 0 of svchost exe']],
    ['Wait... later', ['wait later']],
    ['One\nTwo\n- three', ['one', 'two', 'three']],
    ['a short line\ngoes on', ['a short line goes on']],
    ['隔离主机。通知客户', ['隔离 主机', '通知 客户']],
    ['...', []],
    ['', []],
  ])('%j', (text, expected) => {
    expect(texts(text)).toEqual(expected);
  });

  test('a question is marked', () => {
    expect(sentencesOf('Isolate? Isolate! Isolate?! Isolate!?').map(({ question }) => question)).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  test('the query of an address is no question', () => {
    expect(sentencesOf('See https://x.example/?a=b now').map(({ question }) => question)).toEqual([false]);
  });
});

describe('words', () => {
  test.each([
    ["didn't", ['did', 'not']],
    ['didn’t', ['did', 'not']],
    ["won't", ['will', 'not']],
    ["can't", ['can', 'not']],
    ['cannot', ['can', 'not']],
    ['couldnt', ['could', 'not']],
    ["we'll", ['we', 'will']],
    ["host's", ['host']],
    ["hosts'", ['hosts']],
    ["l'hôte", ['l', 'hôte']],
    ['re-image', ['re', 'image']],
    ['iso\u00adlate', ['isolate']],
    ['ﬁle', ['file']],
  ])('%j', (text, expected) => {
    expect(words(text).map((word) => word.text)).toEqual(expected);
  });

  test('have the stem of English words, and are themselves otherwise', () => {
    expect(words('isolating isolated Isolation größer o365').map(({ stem }) => stem)).toEqual([
      'isol',
      'isol',
      'isol',
      'grösser',
      'o365',
    ]);
  });

  test('know their place in the text and the mark before them', () => {
    const text = 'Yes: isolate, then (ﬁnally) go — now';
    expect(words(text).map(({ start, end, mark }) => [text.slice(start, end), mark])).toEqual([
      ['Yes', ''],
      ['isolate', ':'],
      ['then', ','],
      ['ﬁnally', ','],
      ['go', ','],
      ['now', '-'],
    ]);
  });

  test('a line break separates like a comma after a short line, not after a wrapped one', () => {
    const marks = (text: string) => words(text).at(-1)?.mark;
    expect(marks('a short line\nends')).toBe(',');
    expect(marks(`${'a long line '.repeat(6)}\nends`)).toBe('');
  });
});
