/**
 * A running Chromium on a folder of its own. The test starts the process itself and Playwright only connects to it, since
 * the test needs the process id to kill the browser.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium, type BrowserContext } from 'playwright-core';
import { waitMsMax } from '../timeouts.ts';
import { findChromium } from './chromium.ts';

export interface Browser {
  /** The context of the folder: the next browser on that folder has the same stored data. */
  context: BrowserContext;
  /** Sends SIGKILL to all processes of the browser; resolves when the last of them has ended. */
  kill(): Promise<void>;
}

/** The flags of each browser of the tests. */
export const chromiumFlags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-breakpad',
  '--disable-dev-shm-usage',
  '--password-store=basic',
  '--use-mock-keychain',
];

interface BrowserOptions {
  /** Further environment variables. */
  moreEnv?: Record<string, string>;
  flags?: readonly string[];
}

export async function openBrowser(folder: string, { moreEnv = {}, flags = [] }: BrowserOptions = {}): Promise<Browser> {
  const { executablePath, env } = await findChromium();
  const args = [...chromiumFlags, ...flags, '--remote-debugging-port=0', `--user-data-dir=${folder}`, 'about:blank'];
  const child = spawn(executablePath, args, {
    // A process group of its own, so that one signal reaches every process that Chromium starts.
    detached: true,
    env: { ...process.env, ...env, ...moreEnv },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // `close` comes when the last process that holds the pipe has ended, after the exit of the first.
  let isGone = false;
  const gone = once(child, 'close').then(() => (isGone = true));
  const kill = async () => {
    // A browser that is gone must not be killed, since another process may have its id by now.
    if (!isGone) killGroup(child);
    await gone;
  };
  try {
    const browser = await chromium.connectOverCDP(await readDebuggerUrl(child), { timeout: waitMsMax });
    const context = browser.contexts()[0]!;
    context.setDefaultTimeout(waitMsMax);
    return { context, kill };
  } catch (error) {
    await kill();
    throw error;
  }
}

/** Creates a temporary folder for a browser. */
export async function createUserDataDir(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'gemba-browser-'));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function readDebuggerUrl(child: ChildProcess): Promise<string> {
  const said: string[] = [];
  const lines = createInterface({ input: child.stderr! });
  const found = new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      const url = /^DevTools listening on (ws:\S+)/.exec(line)?.[1];
      if (url) resolve(url);
      if (said.length < linesKeptMax) said.push(line);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`Chromium ended at once:\n${said.join('\n')}`)));
  });
  return found;
}

const linesKeptMax = 50;
