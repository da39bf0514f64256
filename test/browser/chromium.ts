/**
 * Finds the browser of the tests: CHROMIUM_PATH, else a Chromium or Chrome of the system, else the one from npm, so
 * that nothing is installed by hand. GEMBA_CHROMIUM=bundled always takes the one from npm.
 */
import { access, constants } from 'node:fs/promises';
import { unpackBundledChromium, type Chromium } from './bundled-chromium.ts';

const systemPaths = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

export async function findChromium(): Promise<Chromium> {
  if (process.env['GEMBA_CHROMIUM'] === 'bundled') return unpackBundledChromium();
  const given = process.env['CHROMIUM_PATH'];
  const paths = given ? [given] : systemPaths;
  for (const executablePath of paths) {
    if (await isExecutable(executablePath)) return { executablePath, env: {} };
  }
  if (given) throw new Error(`CHROMIUM_PATH=${given} is not a program.`);
  return unpackBundledChromium();
}

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
