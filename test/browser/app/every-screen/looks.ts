/** Shows a screen with another size of text or in other colours, and finds what is wrong with it then. */
import type { Page } from 'playwright-core';
import {
  findViolationsInBothSchemes,
  findViolationsOfColor,
  restoreColors,
  untilColorsChanged,
} from '../accessibility.ts';

export const textPxAt200 = 32;

export async function setTextPx(page: Page, standard: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setFontSizes', { fontSizes: { standard } });
  await session.detach();
}

/** Lets axe look at the screen in light, in dark and in forced colours, where what is chosen needs an outline. */
export async function findWrongInAllColors(page: Page): Promise<string[]> {
  const found = await findViolationsInBothSchemes(page);
  await page.emulateMedia({ forcedColors: 'active' });
  await untilColorsChanged(page);
  const unlined = await page.evaluate(() =>
    [...document.querySelectorAll("[aria-pressed='true'], [aria-current='page'], input:checked + span")]
      .filter((element) => getComputedStyle(element).outlineStyle === 'none')
      .map(({ outerHTML }) => `chosen without an outline: ${outerHTML.slice(0, 80)}`),
  );
  const violations = await findViolationsOfColor(page);
  await restoreColors(page);
  return [...found, ...[...unlined, ...violations].map((wrong) => `in forced colours: ${wrong}`)];
}
