import type { Find } from '../formats/reading.rules.ts';

const CVE = /(?<![\p{L}\p{N}])CVE[-–‑—_ ]{1,2}(\d{4})[-–‑—_ ]{1,2}(\d{4,7})(?!\d)/giu;
const FIRST_YEAR = 1999;

/** The vulnerabilities that a text names, once for each place. */
export function cvesIn(text: string, now = new Date()): Find[] {
  return [...text.matchAll(CVE)].flatMap((match) => {
    const [words, year = '', number = ''] = match;
    if (Number(year) < FIRST_YEAR || Number(year) > now.getFullYear() + 1) return [];
    const end = match.index + words.length;
    return [{ kind: 'cve', value: `CVE-${year}-${number}`, start: match.index, end, how: 'id' } as const];
  });
}
