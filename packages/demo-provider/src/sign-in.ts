import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Provider } from 'oidc-provider';
import type { ProviderConfig } from './config.ts';
import { messagePage, type Page, signInPage } from './page.ts';
import { CLIENT_NAME } from './provider.ts';

/** Answers the sign-in page: shows the people, and goes on with the one that was chosen. */
export async function signIn(
  provider: Provider,
  { NAME, PEOPLE }: ProviderConfig,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const begun = await provider.interactionDetails(request, response).catch(() => undefined);
  if (begun === undefined) {
    const expired = 'It was not begun in this browser, or has expired. Go back and start again.';
    return send(response, 400, messagePage(NAME, 'This sign-in cannot go on', expired));
  }
  if (request.method !== 'POST') return send(response, 200, signInPage(NAME, CLIENT_NAME, PEOPLE));
  const chosen = new URLSearchParams(await text(request));
  const person = PEOPLE.find(({ sub }) => sub === chosen.get('sub'));
  if (person === undefined && !chosen.has('cancel')) {
    return send(response, 400, messagePage(NAME, 'There is no such account', 'Go back and choose another.'));
  }
  const result =
    person === undefined
      ? { error: 'access_denied', error_description: 'The sign-in was cancelled' }
      : { login: { accountId: person.sub } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

function send(response: ServerResponse, status: number, { html, contentSecurityPolicy }: Page): void {
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': contentSecurityPolicy,
    })
    .end(html);
}
