import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const file = (style: string): string => require.resolve(`pdfmake/build/fonts/Roboto/Roboto-${style}.ttf`);

/** Roboto as pdfmake brings it; all four styles cover the same characters. */
export const FONTS = {
  Roboto: {
    normal: file('Regular'),
    bold: file('Medium'),
    italics: file('Italic'),
    bolditalics: file('MediumItalic'),
  },
};

let covered: ReadonlySet<number> | undefined;

/** @returns the code points that the fonts can show */
export function coveredCharacters(): ReadonlySet<number> {
  covered ??= characterMap(readFileSync(FONTS.Roboto.normal));
  return covered;
}

const RECORD = 16;
const WINDOWS_UNICODE = { platform: 3, encoding: 1 };

/**
 * Reads the segment map of a TrueType font.
 * Source: OpenType specification, table `cmap`, format 4.
 * @throws Error where the font has no such table
 */
export function characterMap(font: Buffer): ReadonlySet<number> {
  const cmap = tableAt(font, 'cmap');
  const table = segmentMapAt(font, cmap);
  const segments = font.readUInt16BE(table + 6) / 2;
  const ends = table + 14;
  const starts = ends + segments * 2 + 2;
  const deltas = starts + segments * 2;
  const offsets = deltas + segments * 2;
  const found = new Set<number>();
  for (let segment = 0; segment < segments; segment += 1) {
    const [start, end] = [font.readUInt16BE(starts + segment * 2), font.readUInt16BE(ends + segment * 2)];
    const offset = font.readUInt16BE(offsets + segment * 2);
    const delta = font.readUInt16BE(deltas + segment * 2);
    for (let point = start; point <= end && point !== 0xffff; point += 1) {
      const at = offsets + segment * 2 + offset + (point - start) * 2;
      const glyph = offset === 0 ? point : font.readUInt16BE(at);
      if (glyph !== 0 && (glyph + delta) % 0x10000 !== 0) found.add(point);
    }
  }
  return found;
}

function tableAt(font: Buffer, tag: string): number {
  const count = font.readUInt16BE(4);
  for (let record = 12; record < 12 + count * RECORD; record += RECORD)
    if (font.toString('latin1', record, record + 4) === tag) return font.readUInt32BE(record + 8);
  throw new Error(`The font has no table ${tag}`);
}

function segmentMapAt(font: Buffer, cmap: number): number {
  const count = font.readUInt16BE(cmap + 2);
  for (let record = cmap + 4; record < cmap + 4 + count * 8; record += 8) {
    const [platform, encoding] = [font.readUInt16BE(record), font.readUInt16BE(record + 2)];
    const table = cmap + font.readUInt32BE(record + 4);
    const fits = platform === WINDOWS_UNICODE.platform && encoding === WINDOWS_UNICODE.encoding;
    if (fits && font.readUInt16BE(table) === 4) return table;
  }
  throw new Error('The font has no segment map of Unicode');
}
