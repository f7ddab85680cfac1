import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toHtml } from '../src/index.ts';
import { afterAction } from './after-action.ts';
import { everywhere } from './everywhere.ts';

/** Tags with the names of their attributes; classes depend on what is shown. */
const skeleton = (html: string): string[] =>
  (html.replace(/<style>.*?<\/style>/s, '').match(/<[^>]*>/g) ?? []).map((tag) =>
    tag.replace(/ class="[^"]*"/, '').replace(/="[^"]*"/g, ''),
  );

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</style><script>',
  '</title></svg><iframe src="javascript:alert(1)">',
  '{{constructor.constructor("x")()}} <%= x %>',
  '<!--',
  ']]>',
  '&lt;b&gt; &#60;script&#62;',
];

describe('no text becomes markup', () => {
  const plain = skeleton(toHtml(everywhere('plain')));

  test.each(HOSTILE)('%s', (text) => {
    expect(skeleton(toHtml(everywhere(text)))).toEqual(plain);
  });

  test('whatever the text', () => {
    const unit = fc.nat(0xffff).map((code) => String.fromCharCode(code));
    const mark = fc.constantFrom('<', '</', '>', '"', "'", '&', '=', ' ', 'b', 'on', '{{', ']]>', '<!--');
    const text = fc.string({ unit: fc.oneof(unit, mark, mark), maxLength: 30 });
    fc.assert(
      fc.property(text, (given) => {
        expect(skeleton(toHtml(everywhere(`x${given}`)))).toEqual(plain);
      }),
    );
  });

  test('and it reads as it was written', () => {
    expect(toHtml(everywhere('a < b & "c"'))).toContain('<p dir="auto">a &lt; b &amp; &quot;c&quot;</p>');
  });
});

describe('the page', () => {
  const html = toHtml(afterAction);

  test('is the same for the same document', () => {
    expect(toHtml(structuredClone(afterAction))).toBe(html);
  });

  test('loads and runs nothing', () => {
    expect(html).not.toMatch(/<script|<link|<iframe|<object|@import|url\(|\son\w+=|<[^>]+\ssrc=/i);
    expect(html).toContain('default-src &#39;none&#39;');
  });

  test('links only over http and https', () => {
    const links = [...html.matchAll(/href="([^"]*)"/g)].map((match) => match[1] ?? '');
    expect(links.filter((href) => !href.startsWith('#'))).toEqual([
      'https://eur-lex.europa.eu/eli/dir/2022/2555/oj',
    ]);
    expect(toHtml(everywhere('x', 'javascript:alert(1)'))).not.toContain('javascript:');
  });

  test('has landmarks, one title, a contents that leads to every heading it names', () => {
    for (const landmark of ['<header', '<nav', '<main', '<footer'])
      expect(html.split(landmark)).toHaveLength(2);
    expect(html.match(/<h1/g)).toHaveLength(1);
    for (const [, id] of html.matchAll(/href="#([\w-]+)"/g)) expect(html).toContain(`id="${id}"`);
    expect(html).toContain('<html lang="en">');
  });

  test('names the columns and captions of its tables', () => {
    expect(html).toContain('<caption>Improvement plan</caption>');
    expect(html).not.toMatch(/<th(?! scope=)[ >]/);
  });

  test('keeps every word of a text of 100 000 characters', () => {
    const long = 'word '.repeat(20_000);
    expect(toHtml(everywhere(long))).toContain(long);
  });
});
