import { describe, expect, test } from '@jest/globals';
import { choicePage, invitePage, refusalPage, setupPage } from './page.texts.ts';
import { REFUSALS, type RefusalReason } from './refusal.texts.ts';

const PROVIDERS = [
  { id: 'provider-a' as const, name: '<b>A</b>' },
  { id: 'provider-b' as const, name: 'B & Co' },
];
const hostile = '"><script>alert(1)</script>';

describe('a page', () => {
  test('escapes all that it is given', () => {
    const invitation = { organization: hostile, role: 'viewer' as const, email: hostile, inviter: hostile };
    const pages = [
      choicePage(PROVIDERS, { return_to: hostile }),
      invitePage(PROVIDERS, hostile, invitation),
      setupPage(PROVIDERS, hostile),
    ];
    for (const page of pages) {
      expect(page).not.toContain('<script');
      expect(page).not.toContain('<b>');
      expect(page).toContain('Continue with B &amp; Co');
    }
  });

  test('needs neither script nor anything from elsewhere', () => {
    const page = choicePage(PROVIDERS, {});
    expect(page).not.toMatch(/<script|javascript:|\son\w+=|src=|url\(|https?:/);
    expect(page).toContain('<html lang="en">');
  });

  test('carries what the login began with to each provider', () => {
    const page = choicePage(PROVIDERS, { return_to: '/sessions?a=1&b=2' });
    for (const id of ['provider-a', 'provider-b'])
      expect(page).toContain(`href="/auth/${id}/login?return_to=%2Fsessions%3Fa%3D1%26b%3D2"`);
    expect(setupPage(PROVIDERS, 'tok')).toContain('href="/auth/provider-a/login?setup=tok"');
  });

  test('says so where no provider is set up', () => {
    expect(choicePage([], {})).toContain('No sign-in is set up here');
  });

  test.each(Object.keys(REFUSALS) as RefusalReason[])(
    'of the failure "%s" says why and leads on',
    (reason) => {
      const page = refusalPage(reason);
      expect(page).toContain(`<h1>${REFUSALS[reason][1]}</h1>`);
      expect(page).toContain('href="/auth/login"');
    },
  );
});
