/** Bars, messages, Arabic and enlarged text leave the rest of a phone in sight. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { appServer } from '../../app-server.ts';
import { nextVersion } from '../../build.ts';
import { builtApp } from '../../built-app.ts';
import { phoneSize } from '../../devices.ts';
import { inPage } from '../../../in-page.ts';
import { atWorkersPace, button, heading, nextStep, section } from '../../locators.ts';
import { link, openPhone, uploadRecordings } from '../../recorded-runs.ts';

const app = builtApp();

const names = ['Cut', 'Drill', 'Deburr', 'Wash', 'Inspect', 'Pack', 'Label', 'Stack'];
const steps = names.map((stage_name) => ({ stage_name, duration_secs: 30 }));
const landscapeSize = { width: phoneSize.height, height: phoneSize.width };

/** Returns the names of the links, buttons and fields that the element `over` covers. */
const coveredBy = (page: Page, over: string) =>
  inPage(
    page,
    (selector: string) => {
      const top = document.querySelector(selector)!.getBoundingClientRect();
      return [...document.querySelectorAll<HTMLElement>('a:not(.skip), button, input')]
        .filter((element) => {
          const { left, right, top: above, bottom, width } = element.getBoundingClientRect();
          const isBeside = right <= top.left || left >= top.right || bottom <= top.top || above >= top.bottom;
          return width > 1 && !isBeside && !element.closest(selector);
        })
        .map((element) => element.innerText || element.ariaLabel);
    },
    over,
  );

test('[APP-327] a message leaves the buttons of the recorder, the bars and the end of the page free', async () => {
  const server = await appServer(app.folder);
  await uploadRecordings(server, steps);
  const page = await openPhone(server);
  await page.locator('.toast').waitFor({ state: 'detached' });
  await page.getByText('Saw').click();
  await button(page, 'Record').click();
  for (const size of [phoneSize, landscapeSize]) {
    await page.setViewportSize(size);
    await nextStep(page, 'Cut').click();
    await heading(page, 'Cut').waitFor();
    await button(page, 'Undo').click();
    await page.getByText('Cut taken back').waitFor();
    expect([size.width, await coveredBy(page, '.toast')]).toEqual([size.width, []]);
    await atWorkersPace(page);
  }
  await page.setViewportSize(phoneSize);
  await nextStep(page, 'Cut').click();
  await section(page, 'Maps').click();
  await page.getByText('Saw').click();
  await page.getByText('2. Drill').click();
  await button(page, 'Delete stage').click();
  await page.getByText('Drill deleted').waitFor();
  await inPage(page, () => scrollTo(0, document.body.scrollHeight));
  await expect.poll(() => coveredBy(page, '.toast')).toEqual([]);
});

test('[APP-328] an update that is offered takes room of its own', async () => {
  const server = await appServer(app.folder);
  const page = await openPhone(server);
  const next = await nextVersion(app);
  onTestFinished(() => next.remove());
  await server.kill();
  await server.start(next.folder);
  await section(page, 'Sync').click();
  await inPage(page, async () => {
    await (await navigator.serviceWorker.ready).update();
  });
  await button(page, 'Update now').waitFor();
  expect(await coveredBy(page, '.update')).toEqual([]);
  const [update, bar] = await inPage(page, () =>
    ['.update', '.phone-top'].map((name) => document.querySelector(name)!.getBoundingClientRect()),
  );
  expect(bar!.top).toBeGreaterThanOrEqual(update!.bottom);
});

/** A phone at 200 %, upright and on its side. */
const enlarged = [phoneSize, landscapeSize].map(({ width, height }) => ({ width: width / 2, height: height / 2 }));

test.each(enlarged)('[APP-329] at 200 per cent, $width × $height, words and clocks stay whole', async (size) => {
  const server = await appServer(app.folder);
  await uploadRecordings(server, steps);
  const page = await openPhone(server, size);
  await page.getByText('Saw').click();
  await heading(page, 'Stages').waitFor();
  expect(await brokenTexts(page)).toEqual([]);
  await button(page, 'Record').click();
  await nextStep(page, 'Cut').click();
  await heading(page, 'Cut').waitFor();
  await button(page, 'Interruption').waitFor();
  expect(await brokenTexts(page)).toEqual([]);
  await section(page, 'Maps').click();
  await link(page, 'Back to it').waitFor();
  const bars = await page
    .locator('.phone-top, .phone-nav')
    .evaluateAll((all) => all.map((bar) => getComputedStyle(bar).position));
  expect(bars).toEqual(['static', 'static']);
});

/** Returns the words that are broken into several lines, and a note if the page scrolls sideways. */
const brokenTexts = (page: Page) =>
  inPage(page, () => {
    const broken: string[] = [];
    for (const element of document.querySelectorAll('h1, h2, .button > span, .recorder-clock > span, .figures dd')) {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        for (const { 0: word, index } of (node.textContent ?? '').matchAll(/[^\s-]+/g)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          if (range.getClientRects().length > 1) broken.push(word);
        }
      }
    }
    if (document.documentElement.scrollWidth > innerWidth) broken.push('sideways');
    return broken;
  });

const arabic = 'خط التجميع الرئيسي لصندوق التروس في القاعة الثانية وخلية اللحام رقم سبعة';

test('[APP-330] an Arabic name that is cut off shows its beginning', async () => {
  const server = await appServer(app.folder);
  await uploadRecordings(server, [{ stage_name: arabic, duration_secs: 40 }]);
  const page = await openPhone(server);
  await page.getByText('Saw').click();
  await button(page, 'Record').click();
  await page.locator('.recorder-next').click();
  await page.locator('.recorder-now bdi').waitFor();
  const shown = ['.recorder-now bdi', '.recorder-next bdi'];
  expect(await Promise.all(shown.map((name) => isBeginningShown(page, name)))).toEqual([true, true]);
  await section(page, 'Maps').click();
  await page.locator('.running-bar-name').waitFor();
  expect(await isBeginningShown(page, '.running-bar-name')).toBe(true);
});

/** Tells for a right-to-left text whether its end is cut off, but not its first letter at the right. */
const isBeginningShown = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const range = document.createRange();
    range.setStart(element.firstChild!, 0);
    range.setEnd(element.firstChild!, 1);
    const [letter, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
    const isCut = element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight;
    return isCut && letter.right <= box.right + 1 && letter.left > (box.left + box.right) / 2;
  });
