import { INDUSTRIES, type Industry, NEUTRAL } from './industries.data.ts';

/** The words of an industry as people name it; neutral ones where it is not known. */
export function industryOf(name: string | null | undefined): Industry {
  return (name && INDUSTRIES.find(({ matches }) => matches.test(name))) || NEUTRAL;
}
