/**
 * Freezes the main thread of a page with a synchronous request. Events for the page wait until the request is answered.
 */
import type { Page } from 'playwright-core';
import type { Site } from './page.ts';

/** Resolves when the page is frozen; the returned function answers the request. */
export async function freeze(page: Page, site: Site): Promise<() => Promise<void>> {
  const asleep = site.sleeper();
  const slept = page.evaluate(blockUntilAnswered, asleep.path).catch(() => undefined);
  await asleep.holds;
  return async () => {
    asleep.release();
    await slept;
  };
}

declare global {
  interface Window {
    /** Runs when the page wakes, before any waiting event. */
    onWake?: () => void;
  }
}

function blockUntilAnswered(path: string): void {
  const request = new XMLHttpRequest();
  request.open('GET', path, false);
  request.send();
  window.onWake?.();
}
