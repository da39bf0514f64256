/**
 * The browser of the tests of a file. Each device has a context of its own in it, which begins without stored data: a browser
 * for each would take a second of the processor.
 */
import type { BrowserContext, BrowserContextOptions } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { assert } from '../../../shared/domain/assert.ts';
import { waitMsMax } from '../../timeouts.ts';
import { createUserDataDir, openBrowser } from '../browser.ts';

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

async function open(): Promise<SharedBrowser> {
  const folder = await createUserDataDir();
  const { context, kill } = await openBrowser(folder.path);
  const browser = context.browser();
  assert(browser, 'the context belongs to a browser');
  return {
    newContext: (options) => browser.newContext(options),
    close: async () => {
      await kill();
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
