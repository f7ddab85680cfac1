import { describe, expect, test } from '@jest/globals';
import { growthOf } from '@muster/testing';
import { extract } from '../src/extraction/extraction.rules.ts';
import { readDocument } from '../src/formats/document.rules.ts';
import { kindOf } from '../src/formats/kind.rules.ts';
import { Unreadable } from '../src/formats/reading.rules.ts';

// What repeats in a source must not make reading it slower than its length does.

/** One is linear, four is squared. */
const MOST_GROWTH = 2;
const UNITS = [
  ...[
    '\t',
    ' ',
    '\n',
    ' \n',
    '. A',
    'a.',
    'a-',
    '(',
    ')',
    '[',
    '[.]',
    "'",
    '"',
    '@',
    '/',
    ':',
    '#',
    'a ',
    'A. ',
    '€',
  ],
  ...[
    '<',
    '<!DOCTYPE ',
    '<!ENTITY ',
    '<a ',
    '<b>',
    '<div>',
    '<p>a',
    '</p>',
    '<!--',
    '&amp;',
    '<table><tr><td>',
  ],
  ...[
    'http://a.b/(',
    'hxxp://',
    'a[.]b ',
    'a@b.co ',
    '1.1.1.1 ',
    '::',
    'CVE-2024-1234 ',
    'T1059 ',
    'APT28 ',
    'Fog ransomware ',
  ],
  ...[
    'exploited ',
    'ransomware ',
    'zero-day ',
    'known as ',
    'dumped ',
    'published ',
    'CVSS 9.8 ',
    'January 1, 2024 ',
  ],
];
const filled = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length));

const html = (body: string) =>
  `<!doctype html><html><head><title>A report</title></head><body><p>It says:${body}</p></body></html>`;
const feed = (text: string) =>
  `<?xml version="1.0"?><rss><channel><title>x</title><item><title>A report</title><description>${text}</description></item></channel></rss>`;
const stix = (text: string) =>
  JSON.stringify({
    type: 'bundle',
    id: 'bundle--6d1f1a52-8e0b-4f0e-9a53-0c9d8b1c7a11',
    objects: [
      {
        type: 'report',
        id: 'report--6d1f1a52-8e0b-4f0e-9a53-0c9d8b1c7a12',
        name: text,
        description: text,
        object_refs: [],
      },
      {
        type: 'indicator',
        id: 'indicator--6d1f1a52-8e0b-4f0e-9a53-0c9d8b1c7a13',
        name: 'x',
        pattern: `[a:b = '${text}`,
        pattern_type: 'stix',
      },
      { type: 'malware', id: 'malware--6d1f1a52-8e0b-4f0e-9a53-0c9d8b1c7a14', name: text, description: text },
    ],
  });

function read(document: string, mediaType: string | null): void {
  try {
    for (const reading of readDocument(document, kindOf(document, mediaType), 'https://news.example/a'))
      extract(reading);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
  }
}

describe.each(UNITS)('sources full of %j', (unit) => {
  test.each([
    ['a text', (text: string) => `A report\n${text}`, 'text/plain'],
    ['a page', html, 'text/html'],
    ['a feed', feed, 'application/rss+xml'],
    ['a feed from its start on', (text: string) => `<rss>${text}`, 'application/rss+xml'],
    ['a bundle of STIX', stix, 'application/json'],
  ])('%s', (_name, documentOf, mediaType) => {
    const growth = growthOf((length) => read(documentOf(filled(unit, length)), mediaType), 24_000);
    expect(growth).toBeLessThan(MOST_GROWTH);
  });
});
