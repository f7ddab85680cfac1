import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mapTexts, safeHref, safeLanguage, safeText } from './safe.ts';

const anyText = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) });

describe('safeText', () => {
  test('leaves well-formed text without controls, in any script, as it is', () => {
    for (const text of ['Zürich 🏥 日本語 عربي', 'a\tb\nc', 'e\u0301']) expect(safeText(text)).toBe(text);
  });

  test('brings line ends to one form', () => {
    expect(safeText('a\r\nb\rc\u2028d\u0085e')).toBe('a\nb\nc\nd\ne');
  });

  test('replaces controls, overrides and lone surrogates visibly', () => {
    expect(safeText('a\0b\x1b[31m\u202ec\ud800d\uffff')).toBe('a\ufffdb\ufffd[31m\ufffdc\ufffdd\ufffd');
  });

  test('always gives well-formed text without controls, and is done after one pass', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const safe = safeText(text);
        expect(safe.isWellFormed()).toBe(true);
        expect(safe).not.toMatch(/(?![\t\n])\p{Cc}/u);
        expect(safeText(safe)).toBe(safe);
      }),
    );
  });
});

test('mapTexts reaches every string and nothing else', () => {
  const data = { a: 'x', b: [1, null, 'x', { c: 'x', d: undefined }] };
  expect(mapTexts(data, (text) => `${text}!`)).toEqual({
    a: 'x!',
    b: [1, null, 'x!', { c: 'x!', d: undefined }],
  });
});

test.each([
  'javascript:alert(1)',
  ' jAvaScript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  '//x',
  'x',
  '',
])('safeHref refuses %j', (href) => expect(safeHref(href)).toBeUndefined());

test('safeHref keeps http and https, in ASCII', () => {
  expect(safeHref('https://exämple.org/ü"<')).toBe('https://xn--exmple-cua.org/%C3%BC%22%3C');
  expect(safeHref('HTTP://a.b')).toBe('http://a.b/');
});

test('safeLanguage falls back to English', () => {
  expect(safeLanguage('de-CH')).toBe('de-CH');
  expect(safeLanguage('en" onload="x')).toBe('en');
});
