import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  noBrowser,
  openBrowser,
  type ProductWithProviders,
  startProduct,
  type TestBrowser,
} from '@muster/testing';
import type { Page } from 'puppeteer-core';

// What a person sees who signs in, in a real browser, with real providers, through the gateway.

const inBrowser = noBrowser === undefined ? test : test.skip;
if (noBrowser) console.warn(`Left out, since there is no browser: ${noBrowser}`);

let product: ProductWithProviders;
let chromium: TestBrowser;
let elsewhere: Server;
let page: Page;

beforeAll(async () => {
  if (noBrowser) return;
  product = await startProduct('login', {}, { providers: true });
  chromium = await openBrowser();
  page = await chromium.browser.newPage();
  elsewhere = createServer((_request, response) => {
    const form = `<form method="post" action="${product.url}/auth/logout"><button>Win</button></form>`;
    response.setHeader('content-type', 'text/html').end(form);
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, 'localhost', resolve));
}, 180_000);
afterAll(async () => {
  elsewhere?.close();
  await chromium?.close();
  await product?.stop();
});

const me = () =>
  page.evaluate(async () => {
    const answer = await fetch('/auth/me');
    return { status: answer.status, body: await answer.json() };
  });
const press = async (text: string) => {
  const found = await page.waitForSelector(`::-p-text(${text})`);
  await Promise.all([page.waitForNavigation(), found?.click()]);
};

inBrowser('somebody signs in with provider-b and is led back to where they wanted to go', async () => {
  await page.goto(`${product.url}/auth/login?return_to=${encodeURIComponent('/docs?from=login')}`);
  expect(await page.title()).toMatch(/Sign in/i);
  await press(product.providers.b.name);
  await press('Demo facilitator');
  expect(page.url()).toBe(`${product.url}/docs?from=login`);
  expect(await me()).toMatchObject({
    status: 200,
    body: {
      user: { email: 'facilitator@demo.invalid' },
      role: 'facilitator',
      authenticated_by: 'session',
    },
  });
});

inBrowser('the cookie is out of reach of scripts, and of pages of other origins', async () => {
  expect(await page.evaluate('document.cookie')).toBe('');
  const cookies = await chromium.browser.cookies();
  expect(cookies.find(({ name }) => name === '__Host-muster_session')).toMatchObject({
    httpOnly: true,
    secure: true,
    sameSite: 'Lax',
    path: '/',
  });
  const { port } = elsewhere.address() as AddressInfo;
  await page.goto(`http://localhost:${port}/`);
  await press('Win');
  expect(await page.content()).toContain('cross-site');
  await page.goto(`${product.url}/docs`);
  expect(await me()).toMatchObject({ body: { authenticated_by: 'session' } });
});

inBrowser('what the facilitator may do works from the page, what only an admin may does not', async () => {
  const status = (path: string, init: RequestInit) =>
    page.evaluate(async (where, what) => (await fetch(where, what)).status, path, init);
  expect(await status('/api/settings/', { method: 'GET' })).toBe(200);
  const change = { method: 'PUT', body: '{}', headers: { 'content-type': 'application/json' } };
  expect(await status('/api/settings/', change)).toBe(403);
});

inBrowser('signing out ends the session, here and at the provider', async () => {
  const answer = await page.evaluate(async () => (await fetch('/auth/logout', { method: 'POST' })).text());
  expect(JSON.parse(answer).provider_logout_url).toContain(product.providers.b.issuer);
  expect(await chromium.browser.cookies()).not.toContainEqual(
    expect.objectContaining({ name: '__Host-muster_session' }),
  );
  // Without a session, development mode is the demo owner again.
  expect(await me()).toMatchObject({ body: { authenticated_by: 'development' } });
});

inBrowser('a refused login is a page that says why, and changes nothing', async () => {
  await page.goto(`${product.url}/auth/provider-a/callback?code=made-up&state=made-up`);
  expect(await page.content()).toContain('This sign-in cannot go on');
  expect(await chromium.browser.cookies()).not.toContainEqual(
    expect.objectContaining({ name: '__Host-muster_session' }),
  );
});
