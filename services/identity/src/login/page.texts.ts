import { escapeText, type Role } from '@muster/contracts';
import type { ProviderSettings } from '../providers/provider.variables.ts';
import { REFUSALS, type RefusalReason } from './refusal.texts.ts';
import { STYLE } from './style.texts.ts';

type Providers = readonly Pick<ProviderSettings, 'id' | 'name'>[];

/** What an invitation's page tells. */
export interface Invitation {
  organization: string;
  role: Role;
  email: string;
  inviter: string | null;
}

const MAY: Record<Role, string> = {
  viewer: 'sees exercises, scores and reports',
  member: 'takes part: records sessions, events and operations',
  facilitator: 'runs exercises and manages scenarios',
  admin: 'also manages members, connectors and settings',
  owner: 'may do everything',
};

/** The page to choose a provider; `return_to` travels with the choice, and is checked when that is made. */
export function choicePage(providers: Providers, query: { return_to?: string | undefined }): string {
  const lead = 'Security exercises for the people who will have to handle the real thing.';
  return layout('Sign in to Muster', `<p>${lead}</p>${choices(providers, query)}`);
}

/** The page behind the link of an invitation. */
export function invitePage(providers: Providers, token: string, invitation: Invitation): string {
  const { organization, role, email, inviter } = invitation;
  const who = inviter === null ? 'You are invited' : `${escapeText(inviter)} invites you`;
  return layout(
    `Join ${organization}`,
    `<p>${who} to the organization’s security exercises.</p>
<dl><dt>Your role</dt><dd><strong>${escapeText(role)}</strong><small>${MAY[role]}</small></dd>
<dt>Sign in as</dt><dd>${escapeText(email)}</dd></dl>
${choices(providers, { invite: token })}
<p class="note">The invitation holds for this address only, and can be accepted once.</p>`,
  );
}

/** The page behind the setup link, where the first owner signs in. */
export function setupPage(providers: Providers, token: string): string {
  return layout(
    'Set up Muster',
    `<p>There is no organization here yet. Whoever signs in now founds it and becomes its <strong>owner</strong>.</p>
${choices(providers, { setup: token })}
<p class="note">The organization is named after the domain of your e-mail address until you change that in its
settings. This link works once.</p>`,
  );
}

/** The page of a login that failed: what happened, and what to do. */
export function refusalPage(reason: RefusalReason): string {
  const [, title, text] = REFUSALS[reason];
  return layout(
    title,
    `<p>${escapeText(text)}</p><ul><li><a class="go only" href="/auth/login">Back to sign-in</a></li></ul>`,
    'trouble',
  );
}

function choices(providers: Providers, query: Record<string, string | undefined>): string {
  if (providers.length === 0)
    return '<p class="note">No sign-in is set up here. Whoever runs Muster sets the variables PROVIDER_A_… of its identity service.</p>';
  const carried = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  );
  const search = carried.length === 0 ? '' : `?${new URLSearchParams(carried)}`;
  const look = providers.length === 1 ? 'go only' : 'go';
  const items = providers.map(
    ({ id, name }) =>
      `<li><a class="${look}" href="${escapeText(`/auth/${id}/login${search}`)}">Continue with ${escapeText(name)}</a></li>`,
  );
  return `<ul>${items.join('\n')}</ul>`;
}

/** People around a table. */
const MARK = `<svg width="34" height="34" viewBox="0 0 34 34" fill="currentColor" aria-hidden="true">
<circle cx="17" cy="17" r="7"/><circle cx="17" cy="4" r="3"/><circle cx="28.3" cy="10.5" r="3"/>
<circle cx="28.3" cy="23.5" r="3"/><circle cx="17" cy="30" r="3"/><circle cx="5.7" cy="23.5" r="3"/>
<circle cx="5.7" cy="10.5" r="3"/></svg>`;

/** @param content HTML, its values escapeText */
function layout(title: string, content: string, look = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${escapeText(title)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<header class="brand">${MARK}<span>Muster</span></header>
<main class="${look}">
<h1>${escapeText(title)}</h1>
${content}
</main>
</body>
</html>
`;
}
