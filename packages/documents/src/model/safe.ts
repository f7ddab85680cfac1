import type { DocumentModel } from './document.ts';

/** Controls but tab and line feed, the two bidirectional overrides, and code points that are no characters. */
const HARMFUL = /(?![\t\n])\p{Cc}|[\u202d\u202e\ufffe\uffff]/gu;
const LINE_ENDS = /\r\n?|[\u0085\u2028\u2029]/g;

/**
 * @returns the document with every text made harmless and well formed: line ends are `\n`; control characters, lone
 * surrogates and overrides of writing direction are replaced by U+FFFD, so that nothing disappears unseen
 */
export function safeDocument(document: DocumentModel): DocumentModel {
  return mapTexts(document, safeText);
}

export const safeText = (text: string): string =>
  text.toWellFormed().replace(LINE_ENDS, '\n').replace(HARMFUL, '\ufffd');

/** @returns a copy of plain data in which every string has gone through `map` */
export function mapTexts<T>(data: T, map: (text: string) => string): T {
  if (typeof data === 'string') return map(data) as T;
  if (Array.isArray(data)) return data.map((entry) => mapTexts(entry, map)) as T;
  if (data === null || typeof data !== 'object') return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, mapTexts(value, map)])) as T;
}

/** @returns the address in its normal, ASCII form, or undefined for anything but http and https */
export function safeHref(href: string | undefined): string | undefined {
  if (href === undefined || !URL.canParse(href)) return undefined;
  const url = new URL(href);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined;
}

/** @returns the language when it has the form of a BCP 47 tag, else `en` */
export const safeLanguage = (language: string): string =>
  /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(language) ? language : 'en';
