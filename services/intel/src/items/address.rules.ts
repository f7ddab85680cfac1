/** Query parameters that tell who sent a reader rather than what is read. */
const TRACKING =
  /^(?:utm_\w+|fbclid|gclid|dclid|msclkid|yclid|twclid|igshid|mc_[ce]id|mkt_tok|_hsenc|_hsmi|__hs\w+|hsctatracking|vero_\w+|oly_\w+|s_cid|cmpid|ref|ref_src|ref_url|spm|trk|trackingid|wt\.\w+|ga_\w+|pk_\w+|piwik_\w+|mtm_\w+|at_\w+|xtor|share|ncid|guccounter|guce_\w+)$/i;

/** An address without what tells who followed it: tracking parameters, the fragment, a default port. */
export function cleanAddress(address: string): string {
  const url = new URL(address);
  url.hash = '';
  url.username = '';
  url.password = '';
  for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name);
  return url.href;
}

/**
 * The same for every address that leads to the same page: scheme, default port, fragment, tracking, the order of
 * parameters, capitals in the host and a slash at the end make no difference.
 */
export function addressKey(address: string): string {
  const url = new URL(cleanAddress(address));
  url.searchParams.sort();
  const port = ['', '80', '443'].includes(url.port) ? '' : `:${url.port}`;
  const path = url.pathname
    .replace(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase())
    .replace(/\/{2,}/g, '/')
    .replace(/(?:\/index\.html?)?\/?$/, '');
  return `url:${url.hostname.replace(/\.$/, '')}${port}${path}${url.search}`;
}
