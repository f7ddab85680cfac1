import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const OTHERS = 0o077;

/**
 * The directory of what a checkout keeps, `.muster`: secrets, data and logs, for its owner alone. It is made when it
 * is missing, and closed when it stands open.
 * @param root the checkout
 */
export function homeOf(root: string): string {
  const home = join(root, '.muster');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  if ((statSync(home).mode & OTHERS) !== 0 && process.platform !== 'win32') chmodSync(home, 0o700);
  return home;
}
