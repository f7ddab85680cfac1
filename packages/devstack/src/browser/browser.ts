import { existsSync } from 'node:fs';
import { findInstaller, installPackages } from '../engines/apt.ts';
import { onPath } from '../engines/programs.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const ON_MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/**
 * Finds a Chromium to test pages with, or installs Debian's where that can be done.
 * @param report told before anything is installed
 * @param logFile receives what apt-get says
 * @returns the program, or why there is none
 */
export async function ensureBrowser(
  report: (line: string) => void,
  logFile: string,
): Promise<{ path: string } | { missing: string }> {
  const there = findBrowser();
  if (there) return { path: there };
  const installer = await findInstaller();
  if (!installer || 'no' in installer) return { missing: installer?.no ?? 'it cannot be installed here' };
  report('Installing Chromium from the system’s packages, to test pages with');
  try {
    await installPackages(['chromium'], installer.as, logFile);
  } catch (error) {
    return { missing: String(error) };
  }
  const path = findBrowser();
  return path ? { path } : { missing: 'it is not where its package puts it' };
}

function findBrowser(): string | undefined {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  return NAMES.map(onPath).find((path) => path !== undefined) ?? [ON_MAC].find(existsSync);
}
