import { describe, expect, test } from '@jest/globals';
import { escapeText } from '@muster/contracts';
import fc from 'fast-check';
import { bodyOf, messageIdOf, oneLine } from './mail.rules.ts';

describe('one line', () => {
  test.each([
    ['a\r\nBcc: b@example.org', 'a Bcc: b@example.org'],
    ['a\u2028b\u0085c\u0000d', 'a b c d'],
    ['\u202Eevil\u202C', 'evil'],
    ['  two   blanks ', 'two blanks'],
    ['Žižek & Sons', 'Žižek & Sons'],
  ])('of %j is %j', (text, line) => {
    expect(oneLine(text)).toBe(line);
  });

  test('is one, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(oneLine(text))),
    );
  });
});

test('what people wrote is text in HTML, not markup', () => {
  const { html, text } = bodyOf(['<img src=x onerror=alert(1)> & "co"'], {
    label: 'Go',
    url: 'https://example.org/?a=1&b="',
  });
  expect(html).toContain('<p>&lt;img src=x onerror=alert(1)&gt; &amp; &quot;co&quot;</p>');
  expect(html).toContain('<a href="https://example.org/?a=1&amp;b=&quot;">Go</a>');
  expect(text).toContain('<img src=x onerror=alert(1)>');
  expect(text).toContain('Go: https://example.org/?a=1&b="');
});

test('escaping leaves no character that opens or closes anything', () => {
  fc.assert(fc.property(fc.string(), (text) => !/[<>"']/.test(escapeText(text))));
});

test("a mail's id stands under the sender's domain", () => {
  expect(messageIdOf('invite.1', 'muster@mail.example.org')).toBe('<invite.1@mail.example.org>');
});
