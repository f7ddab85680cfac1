import type { Reading } from './reading.rules.ts';

const SHORT = 1500;
const TITLES =
  /^(?:(?:error )?(?:40[0-9]|41\d|42\d|50[0-9])\b|error\b|not found|page not found|access denied|forbidden|unauthorized|just a moment|attention required|service (?:temporarily )?unavailable|bad gateway|gateway time-?out|internal server error|maintenance|(?:site|page) (?:under )?maintenance|captcha|are you (?:a )?(?:human|robot)|security check|verify(?:ing)? you are human|ddos[- ]guard|sign in|log ?in\b|request blocked|403|robot check|one moment,? please)/i;
const WORDS =
  /\b(?:page (?:you (?:are|were) looking for|cannot be found|could not be found|not found|no longer exists)|(?:404|403|500|502|503) (?:error|not found|forbidden)|enable javascript and cookies|checking (?:your browser|if the site connection)|access to this page has been denied|verify you are (?:a )?human|cloudflare ray id|temporarily unavailable|try again later|request (?:was )?blocked|you don['’]t have permission|session (?:has )?expired)\b/i;

/** Whether a page that was answered with success only says that something went wrong, or asks who is there. */
export function isErrorPage({ title, text }: Pick<Reading, 'title' | 'text'>): boolean {
  if (text.length > SHORT) return false;
  return TITLES.test(title.trim()) || WORDS.test(text);
}

const FEED_PATHS =
  /\.(?:xml|rss|rdf|atom|json|stix|jsonld)$|\/(?:feeds?|rss|atom|rdf)(?:\/|\.\w+)?$|\/taxii2?\/|\/collections\/[^/]+(?:\/objects)?\/?$/i;

/** Whether an address says that it leads to data rather than to a page for people. */
export function promisesData(url: string): boolean {
  const { pathname, searchParams } = new URL(url);
  return (
    FEED_PATHS.test(pathname) ||
    searchParams.has('feed') ||
    /^(?:rss|atom|xml|json)$/i.test(searchParams.get('format') ?? '')
  );
}
