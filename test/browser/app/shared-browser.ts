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
