/** A page whose main thread stands still: it waits for the answer to a synchronous request. What comes for it meanwhile waits too. */
import type { Page } from 'playwright-core';
import type { Site } from './page.ts';

/** Resolves when it stands still; the answer wakes it. */
export async function freeze(page: Page, site: Site): Promise<() => Promise<void>> {
  const asleep = site.sleeper();
  const slept = page.evaluate(sleep, asleep.path).catch(() => undefined);
  await asleep.holds;
  return async () => {
    asleep.release();
    await slept;
  };
}

declare global {
  interface Window {
    /** What the page does as it wakes, before anything that waited for it. */
    onWake?: () => void;
  }
}

function sleep(path: string): void {
  const request = new XMLHttpRequest();
  request.open('GET', path, false);
  request.send();
  window.onWake?.();
}
