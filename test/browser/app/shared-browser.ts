/**
 * The browser of the tests of a worker, in which files run one after the other. Each device has a context of its own in it,
 * which begins without stored data: a browser for each would take a second of the processor.
 */
import { chromium, type BrowserContext, type BrowserContextOptions } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { waitMsMax } from '../../timeouts.ts';
import { makeFolderOfRun } from '../../made-once.ts';
import { chromiumFlags } from '../browser.ts';
import { findChromium } from '../chromium.ts';

interface SharedBrowser {
  newContext: (options: BrowserContextOptions) => Promise<BrowserContext>;
  isConnected: () => boolean;
}

let opened: Promise<SharedBrowser> | undefined;

export const sharedBrowser = {
  /** Opens a context until the test ends. */
  async newContext(options: BrowserContextOptions): Promise<BrowserContext> {
    const context = await this.lastingContext(options);
    onTestFinished(() => context.close());
    return context;
  },
  /** Opens a context that the caller closes. */
  async lastingContext(options: BrowserContextOptions): Promise<BrowserContext> {
    if (!(await opened)?.isConnected()) opened = open();
    const context = await (await opened!).newContext(options);
    context.setDefaultTimeout(waitMsMax);
    await context.addInitScript(holdServiceWorker, workerNeeded);
    return context;
  },
};

/**
 * Playwright speaks to this browser through a pipe, whose messages need no compression as those of a WebSocket do. The browser
 * ends with its pipe, and so with the worker.
 */
async function open(): Promise<SharedBrowser> {
  const folder = await makeFolderOfRun('browser-');
  const { executablePath, env } = await findChromium();
  return chromium.launch({
    executablePath,
    env: { ...process.env, ...env },
    ignoreDefaultArgs: true,
    args: [
      ...chromiumFlags,
      '--hide-scrollbars',
      '--remote-debugging-pipe',
      '--no-startup-window',
      `--user-data-dir=${folder}`,
    ],
    timeout: waitMsMax,
    handleSIGTERM: false,
  });
}

/** A page hears this when a test needs it offline. */
export const workerNeeded = 'test-worker-needed';

/**
 * Lets a page register its service worker only when a test needs that, since the worker loads all files of the app. A page that
 * a worker serves already is left alone.
 */
function holdServiceWorker(needs: string): void {
  const { serviceWorker } = navigator as Partial<Navigator>;
  if (!serviceWorker || serviceWorker.controller) return;
  const register = serviceWorker.register.bind(serviceWorker);
  const needed = new Promise((resolve) => addEventListener(needs, resolve, { once: true }));
  serviceWorker.register = async (...given) => {
    await needed;
    return register(...given);
  };
}
