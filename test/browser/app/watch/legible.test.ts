/** Contrast, long clocks and long names on a watch. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { inPage } from '../../in-page.ts';
import { colorSchemes, switchColorScheme } from '../accessibility.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { openDevice, pair, watchSizes } from '../devices.ts';
import { atWorkersPace, button, heading, nextStep } from '../locators.ts';
import { reachOfText } from '../round-screen.ts';
import { more, smallestWatch } from '../watch-page.ts';

const app = builtApp();

const workTypes = ['valuable', 'incidental', 'waste'];

/** Opens a watch whose account has one map. Its stages have these names, all work types and this usual time. */
async function openWatch(names: readonly string[], duration_secs: number): Promise<Page> {
  const server = await appServer(app.folder);
  const steps = names.map((stage_name, order) => ({
    stage_name,
    duration_secs,
    order,
    work_type: workTypes[order % 3],
  }));
  await server.rest.send('POST', '/recording/new', { name: 'Saw', steps });
  const { page } = await openDevice(smallestWatch);
  await pair(page, await server.newLink('wearable'));
  await button(page, 'Saw').click();
  return page;
}

/** Returns the lowest contrast of all text in sight, with that text. */
const lowestContrast = (page: Page) =>
  inPage(page, () => {
    const luminance = (color: string) => {
      const [red = 0, green = 0, blue = 0] = color.match(/[\d.]+/g)!.map((value) => {
        const part = Number(value) / 255;
        return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const groundOf = (element: Element | null): string => {
      if (!element) return 'rgb(255, 255, 255)';
      const { backgroundColor } = getComputedStyle(element);
      return backgroundColor.startsWith('rgb(') ? backgroundColor : groundOf(element.parentElement);
    };
    const elements = [...document.querySelectorAll('.watch *:not(.visually-hidden)')].filter((element) =>
      [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== ''),
    );
    const contrasts = elements.map((element) => {
      const [one, other] = [getComputedStyle(element).color, groundOf(element)].map(luminance) as [number, number];
      return { contrast: (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05), text: element.textContent };
    });
    return contrasts.toSorted((a, b) => a.contrast - b.contrast)[0]!;
  });

test('[APP-480] all text of the recording screen has a contrast of 7, for each work type and status, in light and in dark', async () => {
  const page = await openWatch(['Load', 'Press', 'Pack'], 40);
  for (const name of ['Load', 'Press', 'Pack']) {
    await nextStep(page, name).waitFor();
    for (const colorScheme of colorSchemes) {
      await switchColorScheme(page, colorScheme);
      const { contrast, text } = await lowestContrast(page);
      expect(contrast, `${text} in ${colorScheme}`).toBeGreaterThanOrEqual(7);
    }
    await atWorkersPace(page);
    await nextStep(page, name).click();
    await heading(page, name).waitFor();
  }
  await page.context().setOffline(true);
  await page.getByText('Offline · 3 steps').waitFor();
  for (const colorScheme of colorSchemes) {
    await switchColorScheme(page, colorScheme);
    expect((await lowestContrast(page)).contrast, colorScheme).toBeGreaterThanOrEqual(7);
  }
});

test.each([
  { usualSecs: 45, secs: 40, shown: /^0:4\d\.\d$/ },
  { usualSecs: 760, secs: 760, shown: /^12:4\d$/ },
  { usualSecs: 7_200, secs: 36_000, shown: /^10:00:\d\d$/ },
])('[APP-482] no round screen cuts the clock after $secs s, nor the last time of $usualSecs s', async (times) => {
  const page = await openWatch(['Load', 'Press'], times.usualSecs);
  await nextStep(page, 'Load').click();
  await heading(page, 'Load').waitFor();
  await inPage(
    page,
    (secs) => {
      const now = Date.now.bind(Date);
      Date.now = () => now() + secs * 1_000;
    },
    times.secs,
  );
  await page.getByRole('timer').getByText(times.shown).waitFor();
  for (const size of watchSizes) {
    await page.setViewportSize(size);
    expect(await reachOfText(page.locator('.watch-clock')), `${size.width}`).toBeLessThanOrEqual(1);
  }
});

test('[APP-483] two names of 50 letters that differ in their end show it in a list', async () => {
  const long = 'Zusammenbau der Getriebewelle an der Linie, Teil';
  const names = [`${long} 1`, `${long} 2`, `${long} 3`];
  const page = await openWatch(names, 40);
  await more(page).click();
  for (const name of names) {
    const shown = button(page, name).locator('.watch-name');
    expect(await shown.evaluate((it) => it.scrollHeight <= it.clientHeight + 1), name).toBe(true);
    expect((await button(page, name).boundingBox())!.height).toBeGreaterThanOrEqual(47.99);
  }
});
