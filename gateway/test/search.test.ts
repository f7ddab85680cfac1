import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { noBrowser, openBrowser, type TestBrowser } from '@muster/testing';
import { type Stand, startStand } from './stand.ts';

// Without a browser on this machine it is left out.
const inBrowser = noBrowser === undefined ? test : test.skip;

let stand: Stand;
let chromium: TestBrowser;
beforeAll(async () => {
  if (noBrowser) return;
  stand = await startStand();
  chromium = await openBrowser();
}, 120_000);
afterAll(async () => {
  await chromium?.close();
  await stand?.stop();
});

inBrowser(
  'the search of /docs finds operations by path, by words of their summary, and by group',
  async () => {
    const page = await chromium.browser.newPage();
    await page.goto(`${stand.url}/docs`);
    const box = await page.waitForSelector('input[aria-label="Search operations"]');
    await page.waitForSelector('.opblock-summary-path');
    const shown = () =>
      page.$$eval('.opblock-summary-path', (paths) =>
        paths.map((path) => path.getAttribute('data-path') ?? ''),
      );
    const all = await shown();
    const found = async (phrase: string) => {
      await box?.click({ count: 3 });
      await page.keyboard.press('Backspace');
      await box?.type(phrase);
      return shown();
    };
    expect(await found('update-ip')).toEqual(['/auth/update-ip']);
    const whole = await found('Whether the deployment works');
    expect(whole).toEqual(['/health']);
    const group = await found('Platform');
    expect(group).toEqual(expect.arrayContaining(['/health', '/openapi.json']));
    expect(await found('nothing is called so')).toEqual([]);
    expect(await found('')).toEqual(all);
    expect(all.length).toBeGreaterThan(50);
  },
  120_000,
);
