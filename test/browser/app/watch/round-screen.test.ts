/** Messages on a round watch. Real server process, real Chromium. */
import { expect, onTestFinished, test } from 'vitest';
import { inPage } from '../../in-page.ts';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer } from '../app-server.ts';
import { nextVersion } from '../build.ts';
import { builtApp } from '../built-app.ts';
import { openUnwatchedPage, hideScrollbars, keptForOffline, openDevice, pair, watchSizes } from '../devices.ts';
import { reachOf, reachOfText } from '../round-screen.ts';
import { button, heading, nextStep } from '../locators.ts';

const app = builtApp();

const [smallestWatch, , largest] = watchSizes;

test('[APP-95] [APP-152] as a watch is to be paired, no round screen cuts the field for the code or what is reached by scrolling, and what is wrong comes in sight', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice(smallestWatch);
  await page.goto(`${server.url}/watch/pair`);
  const code = page.getByLabel('Pairing code');
  const all = [code, page.getByLabel('Name of this device'), button(page, 'Pair')];
  const trouble = page.getByText('Enter the code.');
  for (const size of watchSizes) {
    await page.setViewportSize(size);
    await page.reload();
    await code.focus();
    expect(await inPage(page, () => scrollY)).toBe(0);
    expect(await reachOf(code)).toBeLessThanOrEqual(1);
    for (const it of all) {
      await it.evaluate((element) => element.scrollIntoView({ block: 'center' }));
      expect(await reachOf(it)).toBeLessThanOrEqual(1);
      expect((await it.boundingBox())!.height).toBeGreaterThanOrEqual(size.height / 4 - 0.01);
    }
    await button(page, 'Pair').click();
    await trouble.waitFor();
    await expect.poll(() => reachOfText(trouble)).toBeLessThanOrEqual(1);
  }
  await expectNoViolationsInOneScheme(page);
});

test('[APP-96] what a watch refuses is said within its round screen, as large as the rest of it', async () => {
  const server = await appServer(app.folder);
  await server.rest.send('POST', '/recording/new', {
    name: 'Saw',
    steps: [{ stage_name: 'Load', duration_secs: 40, order: 1 }],
  });
  const { page } = await openDevice(largest);
  await pair(page, await server.newLink('wearable'));
  await button(page, 'Saw').click();
  await nextStep(page, 'Load').click();
  await page.locator('.toasts').evaluate(keepWhatComes);
  const refusal = page.locator('.kept').getByText('The notes of a step have at most 10000 characters.');
  // Each note has the maximum length of a note. All notes together exceed the maximum of a step.
  for (let notes = 1; notes <= 10; notes++) {
    await button(page, 'Other step, note or discard').click();
    await button(page, 'Note').click();
    await page.getByLabel('Note for Load').fill('n'.repeat(1_000));
    await button(page, 'Done').click();
    if (notes < 10) await heading(page, 'Load').waitFor();
  }
  await refusal.waitFor();
  expect(await reachOfText(refusal)).toBeLessThanOrEqual(1);
  const letters = await refusal.evaluate((told) => parseFloat(getComputedStyle(told).fontSize));
  expect(letters).toBeGreaterThanOrEqual(0.07 * largest!.height);
});

/** Keeps a copy of each toast in its place, since a toast goes away by itself. */
function keepWhatComes(region: Element): void {
  new MutationObserver(() => {
    const copy = region.cloneNode(true) as Element;
    copy.classList.add('kept');
    document.body.append(copy);
    // `characterData`, since a message may replace the text of another message.
  }).observe(region, { childList: true, subtree: true, characterData: true });
}

test('[APP-97] a watch offers an update above its screen, which that does not cover, and no round screen cuts it', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice(smallestWatch);
  await pair(page, await server.newLink('wearable'));
  await keptForOffline(page);
  const next = await nextVersion(app);
  onTestFinished(() => next.remove());
  await server.kill();
  await server.start(next.folder);
  // A text in a field keeps the page from reloading, so the page offers the update.
  await page.goto(`${server.url}/watch/pair#AAAA-BBBB`);
  const offer = button(page, 'Update now');
  await offer.waitFor();
  for (const size of watchSizes) {
    await page.setViewportSize(size);
    await inPage(page, () => scrollTo(0, 0));
    expect(await reachOf(offer)).toBeLessThanOrEqual(1);
    const { y, height } = (await offer.boundingBox())!;
    expect(height).toBeGreaterThanOrEqual(48);
    expect((await page.locator('main').boundingBox())!.y).toBeGreaterThanOrEqual(y + height);
  }
  await expectNoViolationsInOneScheme(page);
  await offer.click();
  await page.locator('html[data-version="next"]').waitFor();
});

test('[APP-98] a watch whose browser keeps nothing says so within its round screen', async () => {
  const server = await appServer(app.folder);
  const page = await openUnwatchedPage();
  await hideScrollbars(page);
  await page.addInitScript(() => Object.defineProperty(window, 'indexedDB', { value: undefined }));
  for (const size of watchSizes) {
    await page.setViewportSize(size);
    await page.goto(`${server.url}/watch`);
    const title = heading(page, "This browser can't store data");
    await title.waitFor();
    expect(await reachOfText(title)).toBeLessThanOrEqual(1);
    const text = page.getByText('Gemba needs to store');
    await text.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    expect(await reachOfText(text)).toBeLessThanOrEqual(1);
    expect(await inPage(page, () => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);
  }
});
