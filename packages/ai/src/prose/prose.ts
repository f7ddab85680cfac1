/**
 * "a", "a and b", "a, b and c"; of more than `most` the rest is counted: "a, b and 3 more". Semicolons part items that
 * hold commas themselves.
 */
export function listed(items: readonly string[], most = 4): string {
  const shown = items.length > most ? [...items.slice(0, most), `${items.length - most} more`] : items;
  const last = shown.at(-1) ?? '';
  if (shown.length < 2) return last;
  return items.some((item) => item.includes(','))
    ? `${shown.slice(0, -1).join('; ')}; and ${last}`
    : `${shown.slice(0, -1).join(', ')} and ${last}`;
}

/** A sentence as it stands inside another: without its full stop, and with a small letter unless it is a name. */
export function inside(sentence: string): string {
  const text = bare(sentence);
  return /^\p{Lu}(?=\p{Ll}|\s)/u.test(text) && !/^I\b/.test(text) ? lowerFirst(text) : text;
}

/** Trimmed, in one line, without a full stop at its end. */
export function bare(sentence: string): string {
  return sentence
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .replace(/\.$/, '');
}

/** The text, or as many of its first words as fit into `most` characters, and `…`. */
export function clipped(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most - 1);
  const space = head.lastIndexOf(' ');
  return `${head
    .slice(0, space > most / 2 ? space : most - 1)
    .toWellFormed()
    .replace(/(?<![\s,;:\uFFFD])[\s,;:\uFFFD]+$/, '')}…`;
}

/** "1 minute", "12 minutes", "3 h 10"; from two days on in days: "30 days". */
export function duration(minutes: number): string {
  const whole = Math.round(minutes);
  if (whole >= 2880) return `${Math.round(whole / 1440)} days`;
  if (whole < 120) return counted(Number(minutes.toFixed(whole < 10 ? 1 : 0)), 'minute');
  const rest = whole % 60;
  return rest === 0 ? `${whole / 60} hours` : `${Math.floor(whole / 60)} h ${String(rest).padStart(2, '0')}`;
}

/** "1 gap", "3 gaps". */
export function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}

/** The sentences that there are, each with a full stop, in one paragraph. */
export function paragraph(sentences: readonly (string | null)[]): string {
  return sentences
    .filter((one) => one !== null && one !== '')
    .map((one) => (/[.!?…]”?$/.test(one ?? '') ? one : `${one}.`))
    .join(' ');
}

export const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
