import type { IndicatorType, SpanKind } from '@muster/contracts';
import { type Find, MAX_TEXT, type Range, type Reading, tidy } from './reading.rules.ts';

/** What a line of a structured source says; `words` are the part of the line that does, else all of it. */
export interface Fact {
  kind: SpanKind;
  value: string;
  type?: IndicatorType;
  words?: string;
}

/** Writes the text of a structured source line by line, and keeps where each fact stands. */
export interface TextWriter {
  line(words: string, facts?: readonly Fact[]): void;
  /** A passage that is written for people. */
  prose(words: string): void;
  /** What was written, and how many lines found no room. */
  end(): Pick<Reading, 'text' | 'prose' | 'given'> & { omitted: number };
}

export function textWriter(limit = MAX_TEXT): TextWriter {
  let text = '';
  let omitted = 0;
  const prose: Range[] = [];
  const given: Find[] = [];

  function put(words: string): Range | null {
    const start = text === '' ? 0 : text.length + 1;
    if (start + words.length > limit) {
      omitted += 1;
      return null;
    }
    text += text === '' ? words : `\n${words}`;
    return { start, end: start + words.length };
  }

  return {
    line(words, facts = []) {
      const clean = tidy(words).replaceAll('\n', ' ');
      const at = clean === '' ? null : put(clean);
      if (!at) return;
      for (const { kind, value, type, words: part } of facts) {
        const found = part === undefined ? -1 : clean.indexOf(part);
        const place =
          found < 0 || part === undefined
            ? at
            : { start: at.start + found, end: at.start + found + part.length };
        given.push({ kind, value, ...(type && { type }), ...place, how: 'given' });
      }
    },
    prose(words) {
      const clean = tidy(words, limit - text.length);
      const at = clean === '' ? null : put(clean.slice(0, Math.max(0, limit - text.length - 1)));
      if (at) prose.push(at);
    },
    end: () => ({ text, prose, given, omitted }),
  };
}
