import { AppError, type Ctx } from '@muster/service-kit';
import { promisesData } from '../formats/error-page.rules.ts';
import { Unreadable } from '../formats/reading.rules.ts';
import { read } from '../formats/reading.service.ts';
import { readMispFeed } from './misp-feed.service.ts';
import { ask, type SourceOptions, type SourceReading } from './request.service.ts';
import { isTaxii, readTaxii } from './taxii.service.ts';

const ACCEPT =
  'application/stix+json;version=2.1, application/taxii+json;version=2.1, application/atom+xml, application/rss+xml, text/html, application/json;q=0.9, application/xml;q=0.8, text/plain;q=0.8, */*;q=0.1';

/**
 * Fetches an address that a user gave, and reads what it answers.
 * @throws AppError `url-not-allowed`; `bad-gateway` for a source that cannot be reached, fails, or answers what cannot
 * be read
 */
export async function readSource(ctx: Ctx, url: string, options: SourceOptions = {}): Promise<SourceReading> {
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

const isSameOrigin = (one: string, other: string) => new URL(one).origin === new URL(other).origin;

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
