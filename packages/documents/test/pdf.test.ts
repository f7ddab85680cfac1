import { inflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { DocumentModel } from '../src/index.ts';
import { callout, definitions, heading, paragraph, quote, step, steps, table, toPdf } from '../src/index.ts';
import { afterAction } from './after-action.ts';
import { everywhere } from './everywhere.ts';

const AT = new Date('2026-02-13T08:00:00Z');
const print = async (document: DocumentModel) => Buffer.from(await toPdf(document, AT));
const only = (...blocks: DocumentModel['blocks']): DocumentModel => ({
  title: 'T',
  meta: [],
  language: 'en',
  blocks,
});
const source = (pdf: Buffer) => pdf.toString('latin1');
const pages = (pdf: Buffer) => source(pdf).match(/\/Type \/Page\b/g)?.length;

/** Glyphs written on all pages: pdfkit writes them as hexadecimal strings of four digits each. */
function glyphs(pdf: Buffer): number {
  const streams = source(pdf).matchAll(/\/Length (\d+)\s*\/Filter \/FlateDecode\s*>>\s*stream\r?\n/g);
  let count = 0;
  for (const match of streams) {
    const start = match.index + match[0].length;
    const text = inflateSync(pdf.subarray(start, start + Number(match[1]))).toString('latin1');
    for (const [shown] of text.matchAll(/\[[^\]]*\] TJ/g))
      for (const [, hex = ''] of shown.matchAll(/<([0-9a-f]*)>/gi)) count += hex.length / 4;
  }
  return count;
}

describe('the after-action report', () => {
  test('is a whole PDF of several pages with title, language, bookmarks and embedded fonts', async () => {
    const pdf = await print(afterAction);
    const text = source(pdf);
    expect(text.startsWith('%PDF-1.7')).toBe(true);
    expect(text.trimEnd().endsWith('%%EOF')).toBe(true);
    const start = Number(/startxref\s+(\d+)\s+%%EOF/.exec(text)?.[1]);
    expect(text.slice(start, start + 4)).toBe('xref');
    expect(pages(pdf)).toBeGreaterThanOrEqual(5);
    const parts = [
      '(Ransomware in a regional hospital)',
      '/Lang (en)',
      '/Title (Gaps and improvement plan)',
      '/FontFile2',
      '/URI (https://eur-lex.europa.eu/eli/dir/2022/2555/oj)',
    ];
    expect(parts.filter((part) => !text.includes(part))).toEqual([]);
  });

  test('is the same for the same document and date', async () => {
    const [one, other] = await Promise.all([print(afterAction), print(structuredClone(afterAction))]);
    expect(one.equals(other)).toBe(true);
    const later = Buffer.from(await toPdf(afterAction, new Date('2026-02-14T08:00:00Z')));
    expect(later.equals(one)).toBe(false);
  });

  test('leaves the event loop to others', async () => {
    const long = { ...afterAction, blocks: Array.from({ length: 6 }, () => afterAction.blocks).flat() };
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 5);
    expect(pages(await print(long))).toBeGreaterThanOrEqual(30);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(10);
  });
});

describe('hostile and strange text', () => {
  test.each([
    ['markup and scripts', '<script>alert(1)</script> {{x}} ) Tj /JS (app.alert)'],
    ['controls and lone surrogates', 'a\0\u0007b\ud800c\udfffd\u202e'],
    ['nothing but spaces', '  \n\t \n'],
    ['nothing', ''],
    ['line breaks', '\n'.repeat(300)],
    ['right to left', 'مرحبا بالعالم שלום'],
  ])('%s', async (_, text) => {
    const pdf = await print(everywhere(text, 'javascript:alert(1)'));
    expect(pages(pdf)).toBeGreaterThanOrEqual(1);
    expect(source(pdf).match(/\/(JavaScript|Launch|EmbeddedFile|SubmitForm|URI)\b/g)).toBeNull();
  });

  test('characters without a glyph are replaced, counted once each, and said', async () => {
    const clean = await print(only(paragraph('aaaa')));
    const strange = await print(only(paragraph('漢字👩‍👩‍👧‍👦a')));
    const note = '3 characters could not be shown in print; the HTML form shows them.';
    expect(glyphs(strange) - glyphs(clean)).toBe(note.length);
  });

  test('signs with an equal in the font are neither counted nor lost', async () => {
    const [plain, signs] = await Promise.all([
      print(only(paragraph('->1 x'))),
      print(only(paragraph('→①\u202fx'))),
    ]);
    expect(glyphs(signs)).toBe(glyphs(plain));
  });
});

describe('a text of 100 000 characters is printed to its last', () => {
  const lines = 'a\n'.repeat(50_000);
  const words = 'word '.repeat(20_000);
  const letters = 'W'.repeat(100_000);
  test.each<[string, DocumentModel]>([
    ['paragraph', only(paragraph(words))],
    ['paragraph of many lines', only(paragraph(lines))],
    ['single word', only(paragraph(letters))],
    [
      'table cell',
      only(
        table({
          columns: ['a', 'b'],
          rows: [
            ['x', words],
            [letters, 'y'],
          ],
        }),
      ),
    ],
    ['callout', only(callout('warn', words))],
    ['quote', only(quote(letters))],
    ['heading', only(heading(1, letters))],
    ['definition', only(definitions([[letters, words]]))],
    ['step', only(steps([step(words, 'late', { content: [paragraph(words)], notes: [[letters, words]] })]))],
    ['title', { ...only(), title: words, subtitle: letters, meta: [[letters, words]] }],
  ])('%s', async (_, document) => {
    const expected = JSON.stringify(document.blocks).match(/[wordWa]/g)?.length ?? 0;
    expect(glyphs(await print(document))).toBeGreaterThanOrEqual(Math.min(expected, 100_000) * 0.8);
  });
});

test('a document that cannot be laid out is refused, and the next one is printed', async () => {
  const broken = { ...only(), blocks: [{ kind: 'unknown' }] };
  await expect(print(broken as unknown as DocumentModel)).rejects.toThrow(/could not be printed/);
  expect(pages(await print(only(paragraph('x'))))).toBe(1);
});
