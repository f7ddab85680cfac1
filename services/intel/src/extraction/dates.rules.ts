import type { Find } from '../formats/reading.rules.ts';
import { timeOf } from '../formats/reading.rules.ts';

const MONTH =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)';
const DATE = new RegExp(
  String.raw`(?<![\p{L}\p{N}-])(?:(?<iso>\d{4}-\d{2}-\d{2})|(?<m>${MONTH})\.?\s(?<d>\d{1,2})(?:st|nd|rd|th)?,?\s(?<y>\d{4})|(?<d2>\d{1,2})(?:st|nd|rd|th)?\s(?<m2>${MONTH})\.?,?\s(?<y2>\d{4}))(?![\p{L}\p{N}])`,
  'gu',
);
/** In the first lines a date alone, or behind such a word, is the one of publication. */
const PUBLISHED =
  /(?:published|posted|released?(?: date)?|date|updated|last (?:revised|modified)|issued|by [^\n]{2,60})\s*(?:[:|·•–—-]\s*)?$/i;
const HEAD = 1200;
const MAX_DATES = 100;

export interface DateFinds {
  finds: Find[];
  /** RFC 3339, of the day that the text says it was published. */
  published_at: string | null;
}

/** The dates that a text writes with a year; one in its first lines that stands for publication. */
export function datesIn(text: string): DateFinds {
  const finds: Find[] = [];
  let published: Find | null = null;
  for (const match of text.matchAll(DATE)) {
    const at = dayOf(match.groups ?? {});
    if (at === null || finds.length === MAX_DATES) continue;
    const [words] = match;
    const find: Find = {
      kind: 'date',
      value: at.slice(0, 10),
      start: match.index,
      end: match.index + words.length,
      how: 'form',
    };
    if (!published && isPublication(text, find)) published = { ...find, kind: 'published' };
    else finds.push(find);
  }
  return {
    finds: published ? [published, ...finds] : finds,
    published_at: published && `${published.value}T00:00:00.000Z`,
  };
}

function isPublication(text: string, { start, end }: Find): boolean {
  if (start > HEAD) return false;
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const rest = text.slice(end, end + 1);
  return (
    (line.trim() === '' && (rest === '' || rest === '\n')) ||
    (PUBLISHED.test(line) && line.length < 100 && start < HEAD / 2)
  );
}

function dayOf(groups: Record<string, string | undefined>): string | null {
  const { iso, m = groups.m2, d = groups.d2, y = groups.y2 } = groups;
  return timeOf(iso ?? `${m?.slice(0, 3)} ${d}, ${y} UTC`);
}
