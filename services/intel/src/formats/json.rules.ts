const MAX_DEPTH = 64;

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members of a list that are objects; none for what is no list. */
export const records = (value: unknown, limit: number): Record<string, unknown>[] =>
  Array.isArray(value) ? value.slice(0, limit).filter(isRecord) : [];

/** The members of a list that are text; a text alone counts as a list of it. */
export const strings = (value: unknown, limit = 1000): string[] => {
  const list = Array.isArray(value) ? value.slice(0, limit) : [value];
  return list.filter((one): one is string => typeof one === 'string' && one.trim() !== '');
};

/** Text, or the number that stands for it; empty for anything else. */
export const stringOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

/** Parses JSON that is not nested beyond reason; says in a sentence what is wrong with it. */
export function parseJson(text: string): { value: unknown } | { problem: string } {
  if (depthOf(text) > MAX_DEPTH) return { problem: `It is nested deeper than ${MAX_DEPTH} levels.` };
  try {
    return { value: JSON.parse(text.replace(/^\ufeff/, '')) };
  } catch (error) {
    // The parser's message may repeat much of the document.
    const place = /position \d+|line \d+ column \d+/.exec(String(error))?.[0];
    return { problem: `It is no valid JSON${place ? ` (${place})` : ''}.` };
  }
}

/** How deep brackets are nested outside of strings, without recursion. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at];
    if (inString) {
      if (mark === '\\') at += 1;
      else if (mark === '"') inString = false;
    } else if (mark === '"') inString = true;
    else if (mark === '{' || mark === '[') deepest = Math.max(deepest, ++depth);
    else if (mark === '}' || mark === ']') depth -= 1;
  }
  return deepest;
}
