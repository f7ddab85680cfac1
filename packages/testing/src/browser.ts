import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, launch } from 'puppeteer-core';

/** Quiet, and nothing asked of any host but the ones a test names. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];

/** Why there is no browser on this machine, or undefined where there is one; `npm test` finds or installs it. */
export const noBrowser: string | undefined = process.env.CHROMIUM
  ? undefined
  : (process.env.NO_CHROMIUM ?? 'CHROMIUM does not name one');

export interface TestBrowser {
  browser: Browser;
  close(): Promise<void>;
}

/** Starts a Chromium with a profile of its own. */
export async function openBrowser(): Promise<TestBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'muster-browser-'));
  const browser = await launch({
    executablePath: process.env.CHROMIUM,
    userDataDir: profile,
    args: FLAGS,
    timeout: 60_000,
  });
  return {
    browser,
    async close() {
      await browser.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
