import type { Capability } from '@muster/contracts';

/** A calendar date as `2026-03-01`, in an IANA time zone. */
export function calendarDay(moment: Date, timeZone: string): string {
  // The Canadian form is ISO 8601's.
  return new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(moment);
}

/** A day as people read it, such as "1 March 2026". */
export function dayInWords(moment: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  }).format(moment);
}

/** A time of day such as "09:30". */
export function timeOfDay(moment: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(moment);
}

const MINUTE_PRECISION = 100;

/** A minute of the script as people read it: "+12 min". */
export const minuteMark = (minute: number): string =>
  `+${Math.round(minute * MINUTE_PRECISION) / MINUTE_PRECISION} min`;

/** "Decision making" of `decision_making`. */
export function inWords(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The capabilities whose names are not their words. */
const NAMES: Readonly<Partial<Record<Capability, string>>> = {
  identity_access: 'Identity and access',
  third_party: 'Third parties',
  regulatory: 'Regulatory duties',
};

export const capabilityName = (capability: Capability): string => NAMES[capability] ?? inWords(capability);

/** "3 of 4 actions", "1 gap". */
export const counted = (count: number, noun: string): string => `${count} ${count === 1 ? noun : `${noun}s`}`;

/** The text in one line, or its first characters (whole words where it has any) and `…`. */
export function clipped(text: string, most: number): string {
  const line = text
    .slice(0, most * 4)
    .replaceAll(/\s+/gu, ' ')
    .trim();
  if (line.length <= most) return line;
  const head = line.slice(0, most - 1);
  const space = head.lastIndexOf(' ');
  return `${head.slice(0, space > most / 2 ? space : most - 1).toWellFormed()}…`;
}

/** "+7.5", "−3", "no change": with two decimals at most. */
export function signed(change: number): string {
  if (change === 0) return '±0';
  return `${change > 0 ? '+' : '−'}${Math.abs(change)}`;
}
