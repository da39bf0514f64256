/**
 * Finds the browser of the tests: CHROMIUM_PATH, else the one from npm, which is the same on each machine, else, where that
 * does not run, a Chromium or Chrome of the system. A newer one offers to install the app and asks for icons by itself.
 */
import { access, constants } from 'node:fs/promises';
import { isBundledHere, unpackBundledChromium, type Chromium } from './bundled-chromium.ts';

const systemPaths = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

export async function findChromium(): Promise<Chromium> {
  const given = process.env['CHROMIUM_PATH'];
  if (!given && isBundledHere) return unpackBundledChromium();
  for (const executablePath of given ? [given] : systemPaths) {
    if (await isExecutable(executablePath)) return { executablePath, env: {} };
  }
  throw new Error(given ? `CHROMIUM_PATH=${given} is not a program.` : 'Install Chrome, or set CHROMIUM_PATH.');
}

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
