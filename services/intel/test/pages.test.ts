import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { extract } from '../src/extraction/extraction.rules.ts';
import { readHtml } from '../src/formats/html.rules.ts';
import { readText } from '../src/formats/text.rules.ts';
import { dressed } from './dressed.fixture.ts';

// What is found in a report is found as well where a site shows it, and nothing of what stands around it.

const FOLDER = new URL('./corpus/', import.meta.url);
const names = Object.keys(JSON.parse(readFileSync(new URL('expected.json', FOLDER), 'utf8')));

const found = ({ extracted }: ReturnType<typeof extract>) => ({
  indicators: extracted.indicators.map(({ value }) => value).toSorted(),
  cves: extracted.cves.toSorted(),
  techniques: extracted.techniques.map(({ id }) => id).toSorted(),
  actors: extracted.actors.toSorted(),
  malware: extracted.malware.toSorted(),
  tools: extracted.tools.toSorted(),
  sectors: extracted.sectors.toSorted(),
  severity: extracted.severity,
});

describe.each(names)('%s', (name) => {
  const report = readFileSync(new URL(name, FOLDER), 'utf8');
  const expected = found(extract(readText(report)));

  test.each(dressed(report))('as $site', ({ html }) => {
    const reading = readHtml(html, 'https://example-news.org/report');
    const read = extract(reading);
    expect(found(read)).toEqual(expected);
    for (const { evidence } of read.extracted.techniques)
      for (const { quote, start, end } of evidence) expect(reading.text.slice(start, end)).toBe(quote);
  });
});
