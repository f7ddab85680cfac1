import type { MediaType } from '@muster/contracts';
import { AppError } from '../errors.ts';

/** The forms a resource comes in: what `?format=` calls each, and its media type. The first is the default. */
export type Forms<Name extends string> = Readonly<Record<Name, MediaType>>;

/**
 * Chooses the form of an answer: `format` where the query names one, else the best of `Accept` (RFC 9110, section
 * 12.5.1). Raises `not-acceptable` where none fits.
 */
export function formOf<Name extends string>(
  forms: Forms<Name>,
  asked: { format?: Name | undefined; accept?: string | undefined },
): Name {
  if (asked.format !== undefined) return asked.format;
  const names = Object.keys(forms) as Name[];
  const ranges = (asked.accept ?? '*/*').split(',').map(rangeOf);
  const best = names
    .map((name) => ({ name, quality: qualityOf(forms[name], ranges) }))
    .reduce((winner, next) => (next.quality > winner.quality ? next : winner));
  if (best.quality > 0) return best.name;
  const offered = names.map((name) => forms[name]).join(', ');
  throw new AppError('not-acceptable', `This comes as ${offered}.`);
}

interface Range {
  pattern: string;
  quality: number;
}

function rangeOf(text: string): Range {
  const [pattern = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const given = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const quality = Number(given ?? 1);
  return { pattern, quality: Number.isFinite(quality) ? quality : 0 };
}

/** The quality of the most specific range that takes the type; 0 for none. */
function qualityOf(type: MediaType, ranges: readonly Range[]): number {
  const family = `${type.split('/')[0]}/*`;
  for (const pattern of [type, family, '*/*']) {
    const range = ranges.find((candidate) => candidate.pattern === pattern);
    if (range) return range.quality;
  }
  return 0;
}
