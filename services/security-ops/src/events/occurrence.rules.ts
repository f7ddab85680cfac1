const HEX_DIGITS = 12;
/** Higher than what an occurrence has behind its time. */
export const HIGHEST = '~';

/** A time as a text that sorts as times do. */
export const timeOf = (at: Date) => at.getTime().toString(16).padStart(HEX_DIGITS, '0');

/** A text that sorts events by when they happened, and those of one moment by when they came. */
export const occurrenceOf = (occurred_at: Date, id: string) => `${timeOf(occurred_at)}.${id}`;
