import { createHash } from 'node:crypto';
import { escapeText } from '@muster/contracts';
import type { Person } from './person.ts';

/** A page ready to be sent. */
export interface Page {
  html: string;
  /** Goes with it: nothing but its own style and script runs. */
  contentSecurityPolicy: string;
}

const STYLE = `
:root { color-scheme: light dark; --ground: #f3f5f9; --card: #fff; --ink: #171c26; --soft: #5a6475;
  --line: #d9dfe8; --accent: #2f5bd0; --tint: #e8eefc; }
@media (prefers-color-scheme: dark) { :root { --ground: #11141a; --card: #1a1f28; --ink: #eef1f6;
  --soft: #9aa5b6; --line: #303846; --accent: #8fb0ff; --tint: #222c42; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px 16px;
  background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 420px; padding: 32px; background: var(--card); border: 1px solid var(--line);
  border-radius: 16px; }
.provider { margin: 0 0 20px; color: var(--accent); font-size: 14px; font-weight: 600; }
h1 { margin: 0 0 4px; font-size: 24px; line-height: 1.25; letter-spacing: -0.01em; }
p { margin: 0; color: var(--soft); }
form { display: grid; gap: 8px; margin: 24px 0 0; }
button { font: inherit; color: inherit; cursor: pointer; border-radius: 10px; }
button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.person { display: flex; align-items: center; gap: 14px; width: 100%; padding: 12px 14px; text-align: left;
  background: none; border: 1px solid var(--line); }
.person:hover { background: var(--tint); border-color: var(--accent); }
.initials { flex: none; display: grid; place-items: center; width: 40px; height: 40px; border-radius: 50%;
  background: var(--tint); color: var(--accent); font-size: 14px; font-weight: 600; }
.who { min-width: 0; overflow-wrap: anywhere; }
.name { display: block; font-weight: 600; line-height: 1.35; }
.email { display: block; color: var(--soft); font-size: 14px; line-height: 1.35; }
.plain { justify-self: center; margin-top: 4px; padding: 8px 14px; background: none; border: 0;
  color: var(--soft); }
.plain:hover { color: var(--ink); }
.note { margin-top: 24px; padding-top: 20px; border-top: 1px solid var(--line); font-size: 14px; }
`;

/** The people to choose from: a form that posts `sub`, or `cancel`, to its own address. */
export function signInPage(provider: string, client: string, people: Person[]): Page {
  const buttons = people.map(
    ({ sub, name, email }) => `<button class="person" name="sub" value="${escapeText(sub)}">
<span class="initials" aria-hidden="true">${escapeText(initials(name))}</span>
<span class="who"><span class="name">${escapeText(name)}</span>
<span class="email">${escapeText(email ?? 'no e-mail address')}</span></span></button>`,
  );
  return page(
    provider,
    'Choose an account',
    `<p>to continue to ${escapeText(client)}</p>
<form method="post">${buttons.join('\n')}
<button class="plain" name="cancel" value="yes">Cancel</button></form>
<p class="note">${escapeText(provider)} — these accounts exist on this machine only. There is no password.</p>`,
  );
}

/**
 * Confirms the sign-out by itself, or by its button where scripts do not run.
 * @param form the library's form, whose id is `op.logoutForm`
 */
export function signOutPage(provider: string, form: string): Page {
  return page(
    provider,
    'Signing out',
    `${form}<input type="hidden" name="logout" value="yes" form="op.logoutForm">
<noscript><button form="op.logoutForm">Sign out</button></noscript>`,
    "document.getElementById('op.logoutForm').submit();",
  );
}

/** Says one thing and asks nothing. */
export function messagePage(provider: string, title: string, text: string): Page {
  return page(provider, title, `<p>${escapeText(text)}</p>`);
}

function page(provider: string, title: string, content: string, script = ''): Page {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)} · ${escapeText(provider)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<p class="provider">${escapeText(provider)}</p>
<h1>${escapeText(title)}</h1>
${content}
</main>
${script && `<script>${script}</script>`}
</body>
</html>
`;
  const sources = [`style-src ${hashOf(STYLE)}`, `script-src ${script === '' ? "'none'" : hashOf(script)}`];
  // No form-action: a browser would hold the redirect back to the client against it.
  const policy = [
    "default-src 'none'",
    'img-src data:',
    ...sources,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return { html, contentSecurityPolicy: policy.join('; ') };
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  return [words.at(0), words.length > 1 ? words.at(-1) : '']
    .map((word) => [...(word ?? '')].at(0) ?? '')
    .join('')
    .toUpperCase();
}
