/**
 * The browser of the tests of a file. Each device has a context of its own in it, which begins without stored data: a browser
 * for each would take a second of the processor.
 */
import { chromium, type BrowserContext, type BrowserContextOptions } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { waitMsMax } from '../../timeouts.ts';
import { chromiumFlags, createUserDataDir } from '../browser.ts';
import { findChromium } from '../chromium.ts';

interface SharedBrowser {
  newContext: (options: BrowserContextOptions) => Promise<BrowserContext>;
  close: () => Promise<void>;
}

let opened: Promise<SharedBrowser> | undefined;

export const sharedBrowser = {
  /** Opens a context until the test ends. */
  async newContext(options: BrowserContextOptions): Promise<BrowserContext> {
    opened ??= open();
    const context = await (await opened).newContext(options);
    onTestFinished(() => context.close());
    context.setDefaultTimeout(waitMsMax);
    await context.addInitScript(holdServiceWorker, workerNeeded);
    return context;
  },

  /** Must be called at the end of a file with tests. */
  async close(): Promise<void> {
    const last = opened;
    opened = undefined;
    await (await last)?.close();
  },
};

/** Playwright speaks to this browser through a pipe, whose messages need no compression as those of a WebSocket do. */
async function open(): Promise<SharedBrowser> {
  const folder = await createUserDataDir();
  const { executablePath, env } = await findChromium();
  const browser = await chromium.launch({
    executablePath,
    env: { ...process.env, ...env },
    ignoreDefaultArgs: true,
    args: [...chromiumFlags, '--remote-debugging-pipe', '--no-startup-window', `--user-data-dir=${folder.path}`],
    timeout: waitMsMax,
  });
  return {
    newContext: (options) => browser.newContext(options),
    close: async () => {
      await browser.close();
      await folder.remove();
    },
  };
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
