/**
 * Opens a desk in a real Chromium, paired with its own pairing code. Also has the runs that the desk's tests compare.
 */
import type { Locator, Page } from 'playwright-core';
import type { AppServer } from '../app-server.ts';
import { keptForOffline, openDevice, pair, type Size } from '../devices.ts';
import { status } from '../locators.ts';

export const deskSize: Size = { width: 1440, height: 900 };

export async function openDesk(server: AppServer, size = deskSize): Promise<Page> {
  const { page } = await openDevice(size);
  await pair(page, await server.newLink('desk'));
  await status(page, 'All safe on the server').waitFor();
  await page.getByRole('list', { name: 'Maps' }).waitFor();
  await keptForOffline(page);
  return page;
}

/** Recordings with two stages. The stage Press of the last one takes four times as long as that of the others. */
export const runsWithOutlier = (
  [
    [20, 60],
    [22, 62],
    [20, 61],
    [21, 63],
    [20, 240],
  ] as const
).map(([load, press]) => [
  { stage_name: 'Load', duration_secs: load },
  { stage_name: 'Press', duration_secs: press, work_type: 'valuable' as const },
]);

export const pane = (page: Page, name: 'Maps' | 'Map' | 'Run or comparison'): Locator =>
  page.getByRole('region', { name, exact: true });

/** Returns the text that a screen reader reads for the focused element: its accessible name, or else its text. */
export const focusedText = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const it = document.activeElement;
    return (it?.getAttribute('aria-label') ?? it?.textContent ?? '').replace(/\s+/g, ' ').trim();
  });

/** Presses the key until the focused element has this text. */
export async function pressUntil(page: Page, key: string, text: string | RegExp): Promise<void> {
  const pressesMax = 60;
  for (let presses = 0; presses < pressesMax; presses++) {
    await page.keyboard.press(key);
    const at = await focusedText(page);
    if (typeof text === 'string' ? at === text : text.test(at)) return;
  }
  throw new Error(`${pressesMax} × ${key} did not lead to ${text}, but to ${await focusedText(page)}`);
}
