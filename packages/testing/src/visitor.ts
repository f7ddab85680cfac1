/** A person's browser at one provider, without a browser: it keeps cookies and follows redirects there. */
export interface Visitor {
  /**
   * Signs in as the person with this `sub`, or as whoever is signed in already.
   * @param authorizationUrl where the client sent the browser
   * @returns the callback with code and state that the provider redirects to; nobody has requested it yet
   * @throws Error with the provider's words when it refuses
   */
  signIn(authorizationUrl: string | URL, sub: string): Promise<string>;
  /** As `signIn`, but says no: the callback carries an error. */
  cancel(authorizationUrl: string | URL): Promise<string>;
  /** Signs out and returns where the provider leads then: the client's address, or a page of its own. */
  signOut(endSessionUrl: string | URL): Promise<string>;
}

const MOST_STEPS = 20;

/**
 * Makes a visitor who has not been there before.
 * @param issuer the provider: an address elsewhere is returned instead of being requested
 */
export function newVisitor(issuer: string): Visitor {
  const home = new URL(issuer).origin;
  const cookies = new Map<string, string>();

  async function request(url: URL, fields?: URLSearchParams): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const method = fields ? 'POST' : 'GET';
    const answer = await fetch(url, { method, body: fields, headers: { cookie }, redirect: 'manual' });
    keep(cookies, answer.headers.getSetCookie());
    return answer;
  }

  async function walk(from: string | URL, chosen: Record<string, string> = {}): Promise<string> {
    let url = new URL(from);
    let fields: URLSearchParams | undefined;
    for (let steps = 0; url.origin === home; steps += 1) {
      if (steps === MOST_STEPS) throw new Error(`${home} leads round and round`);
      const answer = await request(url, fields);
      const page = await answer.text();
      const location = answer.headers.get('location');
      if (answer.status >= 400) throw new Error(`${url.pathname} answers ${answer.status}: ${words(page)}`);
      const form = location === null ? formOf(page, chosen) : undefined;
      if (location === null && form === undefined) return url.href;
      url = new URL(location ?? form?.action ?? '', url);
      fields = form?.fields;
    }
    return url.href;
  }

  return {
    signIn: (url, sub) => walk(url, { sub }),
    cancel: (url) => walk(url, { cancel: 'yes' }),
    signOut: (url) => walk(url),
  };
}

function keep(cookies: Map<string, string>, set: string[]): void {
  for (const line of set) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '') cookies.delete(name);
    else cookies.set(name, value);
  }
}

/** What the page's form posts: its hidden fields and the button that was chosen, where there is one of that name. */
function formOf(page: string, chosen: Record<string, string>) {
  if (!page.includes('<form')) return undefined;
  const action = /<form[^>]*\saction="([^"]*)"/.exec(page)?.[1] ?? '';
  const fields = new URLSearchParams();
  for (const [, name = '', value = ''] of page.matchAll(
    /<input type="hidden" name="([^"]*)" value="([^"]*)"/g,
  )) {
    fields.set(name, plain(value));
  }
  for (const [name, value] of Object.entries(chosen)) {
    if (page.includes(`name="${name}"`)) fields.set(name, value);
  }
  return { action: plain(action), fields };
}

function words(page: string): string {
  const body = page.replace(/[\s\S]*<body[^>]*>/, '').replace(/<[^>]*>/g, ' ');
  return plain(body).replace(/\s+/g, ' ').trim().slice(0, 300);
}

function plain(text: string): string {
  const characters = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (entity) => characters[entity as keyof typeof characters]);
}
