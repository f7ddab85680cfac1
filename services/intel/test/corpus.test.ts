import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { type Extraction, extract } from '../src/extraction/extraction.rules.ts';
import { readText } from '../src/formats/text.rules.ts';

// Reports written for this test, each with what an analyst would take from it. What is found is measured over all of
// them: precision first, since whoever blocks an address that is none cuts off somebody.

const FOLDER = new URL('./corpus/', import.meta.url);
type Expected = Record<
  'indicators' | 'cves' | 'techniques' | 'actors' | 'malware' | 'tools' | 'sectors',
  string[]
> & {
  severity: string;
  published_at?: string | null;
  tlp?: string;
};
const expected: Record<string, Expected> = JSON.parse(readFileSync(new URL('expected.json', FOLDER), 'utf8'));
const documents = Object.entries(expected).map(([name, wanted]) => {
  const reading = readText(readFileSync(new URL(name, FOLDER), 'utf8'));
  return { name, wanted, text: reading.text, ...extract(reading) };
});

const valuesOf = (said: Extraction) => ({
  indicators: said.indicators.map(({ value }) => value),
  cves: said.cves,
  techniques: said.techniques.map(({ id }) => id),
  actors: said.actors,
  malware: said.malware,
  tools: said.tools,
  sectors: said.sectors,
});

test('every text of the folder is measured, and there are enough of them', () => {
  const texts = readdirSync(FOLDER).filter((name) => name.endsWith('.txt'));
  expect(texts.toSorted()).toEqual(Object.keys(expected).toSorted());
  expect(texts.length).toBeGreaterThanOrEqual(10);
});

describe('over the whole corpus', () => {
  test.each([
    ['indicators', 1, 1],
    ['cves', 1, 1],
    ['techniques', 0.95, 0.95],
    ['actors', 1, 1],
    ['malware', 1, 0.85],
    ['tools', 1, 1],
    ['sectors', 0.9, 0.9],
  ] as const)(
    '%s are found with a precision of at least %d and a recall of at least %d',
    (kind, precision, recall) => {
      const wrong = documents.flatMap(({ name, wanted, extracted }) =>
        valuesOf(extracted)
          [kind].filter((value) => !wanted[kind].includes(value))
          .map((value) => `${name}: ${value}`),
      );
      const missed = documents.flatMap(({ name, wanted, extracted }) =>
        wanted[kind]
          .filter((value) => !valuesOf(extracted)[kind].includes(value))
          .map((value) => `${name}: ${value}`),
      );
      const found = documents.reduce((sum, { extracted }) => sum + valuesOf(extracted)[kind].length, 0);
      const asked = documents.reduce((sum, { wanted }) => sum + wanted[kind].length, 0);
      const right = found - wrong.length;
      expect({ wrong, ok: right / found >= precision }).toEqual({ wrong, ok: true });
      expect({ missed, ok: (asked - missed.length) / asked >= recall }).toEqual({ missed, ok: true });
    },
  );
});

describe.each(documents)('$name', ({ wanted, extracted, finds, text }) => {
  test('is as grave as it should be, with words of the text as the reason', () => {
    expect(extracted.severity).toBe(wanted.severity);
    expect(extracted.severity_reason.text).not.toBe('');
    const { quote } = extracted.severity_reason;
    if (quote !== null) expect(text).toContain(quote);
  });

  test('has its date and label', () => {
    if (wanted.published_at !== undefined) expect(extracted.published_at).toBe(wanted.published_at);
    if (wanted.tlp !== undefined) expect(extracted.tlp).toBe(wanted.tlp);
  });

  test('shows each find in the text', () => {
    for (const { start, end } of finds) {
      expect(start).toBeGreaterThanOrEqual(0);
      expect(end).toBeGreaterThan(start);
      expect(end).toBeLessThanOrEqual(text.length);
    }
    for (const { evidence } of extracted.techniques) {
      expect(evidence.length).toBeGreaterThan(0);
      for (const { quote, start, end } of evidence) expect(text.slice(start, end)).toBe(quote);
    }
  });
});
