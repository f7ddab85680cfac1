import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { code, paragraph, table, toMarkdown } from '../src/index.ts';
import { codeSpan, escapeLine, escapeStart } from '../src/markdown/escape.ts';
import { afterAction } from './after-action.ts';
import { everywhere } from './everywhere.ts';

const body = (...blocks: Parameters<typeof toMarkdown>[0]['blocks']) =>
  toMarkdown({ title: 'T', meta: [], language: 'en', blocks }).slice('# T\n\n'.length);

describe('text stays text', () => {
  test.each([
    ['**bold** _x_ `c`', '\\*\\*bold\\*\\* \\_x\\_ \\`c\\`'],
    ['[a](javascript:x) ![i](y)', '\\[a\\](javascript:x) !\\[i\\](y)'],
    ['<script>&amp;', '&lt;script&gt;&amp;amp;'],
    ['see https://evil.example or www.evil.example', 'see https\\://evil.example or www\\.evil.example'],
    ['{{ site.x }} $x$ ~~y~~ a@b.c', '\\{\\{ site.x \\}\\} \\$x\\$ \\~\\~y\\~\\~ a\\@b.c'],
  ])('%s', (text, escaped) => {
    expect(body(paragraph(text))).toBe(`${escaped}\n`);
  });

  test.each([
    ['# not a heading', '\\# not a heading'],
    ['- no item', '\\- no item'],
    ['1. no item', '1\\. no item'],
    ['=====', '\\====='],
    ['    no code', 'no code'],
    ['a\n# b\n\n\n- c', 'a\\\n\\# b\\\n\\- c'],
  ])('%j at the start of a line', (text, escaped) => {
    expect(body(paragraph(text))).toBe(`${escaped}\n`);
  });

  test('no raw angle bracket, unescaped mark or line start survives, whatever the text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const line = escapeStart(escapeLine(text.replace(/\s+/g, ' ')));
        expect(line).not.toMatch(/[<>]/);
        expect(line.replace(/\\[\\`*_{}[\]|~$@]/g, '')).not.toMatch(/[`*_{}[\]|~$@]/);
        expect(line).not.toMatch(/^(#{1,6}(\s|$)|[-+=]|\d{1,9}[.)])/);
      }),
    );
  });

  test('code holds any number of backticks', () => {
    expect(codeSpan('a``b')).toBe('``` a``b ```');
    expect(body(paragraph(code('a|b')))).toBe('`a|b`\n');
    expect(body(table({ columns: ['a'], rows: [[code('a|b')]] }))).toContain('| `a\\|b` |');
  });

  test('a cell cannot end its row', () => {
    const rows = body(table({ columns: ['a', 'b'], rows: [['x | y\n| z', '\\']] }))
      .trim()
      .split('\n');
    expect(rows).toHaveLength(3);
    expect(rows[2]).toBe('| x \\| y \\| z | \\\\ |');
  });

  test('no address but http and https becomes a link', () => {
    expect(toMarkdown(everywhere('x', 'javascript:alert(1)'))).not.toContain('javascript');
    expect(toMarkdown(everywhere('x', 'https://a.b/c d'))).toContain('[x](<https://a.b/c%20d>)');
  });
});

test('the after-action report has its headings, tables, numbers of charts and states', () => {
  const markdown = toMarkdown(afterAction);
  for (const part of [
    '# Ransomware in a regional hospital',
    '**TLP:AMBER**',
    '## Gaps and improvement plan',
    '| Q1 25 | No data |',
    '1. [x] Isolate the affected segment — **Done**',
    '   1. NIS2 early warning, 24 hours',
    '> **The legal clocks**',
  ])
    expect(markdown).toContain(part);
  expect(toMarkdown(structuredClone(afterAction))).toBe(markdown);
});
