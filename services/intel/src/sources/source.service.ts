import { STATUS_CODES } from 'node:http';
import { AppError, type Ctx, type EgressPolicy, type Fetched, guardedFetch } from '@muster/service-kit';
import { config } from '../config.ts';
import { decodeText } from '../formats/charset.rules.ts';
import { promisesData } from '../formats/error-page.rules.ts';
import { type Reading, Unreadable } from '../formats/reading.rules.ts';
import { read } from '../formats/reading.service.ts';
import { readMispFeed } from './misp-feed.service.ts';
import { isTaxii, readTaxii } from './taxii.service.ts';

const ACCEPT =
  'application/stix+json;version=2.1, application/taxii+json;version=2.1, application/atom+xml, application/rss+xml, text/html, application/json;q=0.9, application/xml;q=0.8, text/plain;q=0.8, */*;q=0.1';

/** How a source is asked beside its address. */
export interface SourceOptions {
  /** Such as an account's; another origin is never told. */
  headers?: Readonly<Record<string, string>>;
  /** Where the last reading ended, of a source that is read on from there. */
  since?: string | null;
}

/** What a source says, and where the next reading goes on; null where it reads the whole again. */
export interface Read {
  readings: Reading[];
  until: string | null;
}

/** One answer of a source, as text. */
export interface Answer {
  /** Where it came from, after redirects. */
  url: string;
  contentType: string | null;
  headers: Headers;
  text: string;
}

/**
 * Fetches an address that a user gave, and reads what it answers.
 * @throws AppError `url-not-allowed`; `bad-gateway` for a source that cannot be reached, fails, or answers what cannot
 * be read
 */
export async function readSource(ctx: Ctx, url: string, options: SourceOptions = {}): Promise<Read> {
  if (isTaxii(url)) return await reading(url, () => readTaxii(ctx, url, options));
  const answer = await ask(ctx, url, ACCEPT, options);
  const readings = await reading(answer.url, async () => {
    const { text, contentType, url: from } = answer;
    const document = await read(ctx, { text, origin: { mediaType: contentType, url: from } });
    if ('listed' in document)
      return await readMispFeed(ctx, from, document.listed, isSameOrigin(url, from) ? options : {});
    if (document.isPage && [url, from].some(promisesData))
      throw new Unreadable('It is a web page where a feed or a document was expected.');
    if (document.isErrorPage) throw new Unreadable('It is a page that says that something went wrong.');
    return document.readings;
  });
  return { readings, until: null };
}

/** What a source may call: in production https on the public internet alone, whatever the variable says. */
export function sourcePolicy(ctx: Ctx): EgressPolicy {
  return ctx.config.MUSTER_MODE === 'development' ? config(ctx).MUSTER_INTEL_ALLOW : { allow: [] };
}

const isSameOrigin = (one: string, other: string) => new URL(one).origin === new URL(other).origin;

/** Asks a source for a document in text. Raises as {@link readSource}, also for any status but success. */
export async function ask(
  ctx: Ctx,
  url: string,
  accept: string,
  { headers }: SourceOptions = {},
): Promise<Answer> {
  const { signal } = ctx;
  const policy = sourcePolicy(ctx);
  const answer = await guardedFetch(url, { policy, signal, headers: { ...headers, accept } });
  const { host } = new URL(answer.url);
  if (answer.status < 200 || answer.status > 299) throw failing(host, answer);
  const contentType = answer.headers.get('content-type');
  const { url: from, headers: given, body } = answer;
  return { url: from, contentType, headers: given, text: decodeText(body, contentType) };
}

function failing(host: string, { status }: Fetched): AppError {
  const meaning = STATUS_CODES[status];
  const said =
    status === 401 || status === 403 ? `${host} lets nobody in without an account` : `${host} fails`;
  return new AppError('bad-gateway', `${said}: it answers ${status}${meaning ? ` ${meaning}` : ''}.`);
}

/** What a source answers and cannot be read is the source's failure. */
async function reading<T>(url: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw new AppError('bad-gateway', `What ${new URL(url).host} answers cannot be used. ${error.message}`, {
      cause: error,
    });
  }
}
