/** The sync status as people see and hear it. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { FullMap, MapRecord } from '../../../../shared/schema/map.ts';
import { inPage } from '../../in-page.ts';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { keptForOffline, openDevice, pair } from '../devices.ts';
import { section, status } from '../locators.ts';
import { startPushHoldingProxy } from '../push-holding-proxy.ts';

const app = builtApp();

/** One more than the number of mutations in one push. */
const changes = 1_001;
const shownChanges = '1,001';

test('[APP-44] [APP-81] [APP-143] [APP-82] a long upload shows how far it is, and is heard of as it begins and when all is safe', async () => {
  const server = await appServer(app.folder);
  const proxy = await startPushHoldingProxy(server.url);
  const { body: map } = await server.rest.send<MapRecord>('POST', '/maps', { name: 'Press line' });
  for (const stage of ['Load', 'Press']) await server.rest.send('POST', `/maps/${map.id}/stages`, { stage });
  const { page } = await openDevice();
  await page.clock.install();
  await pair(page, server.link.replace(server.url, proxy.url));
  await status(page, 'All safe on the server').waitFor();
  await page.getByText('Press line').click();
  await page.getByRole('button', { name: 'Move Load' }).waitFor();
  await listen(page);
  await keptForOffline(page);
  await page.context().setOffline(true);
  await announced(page, 'Offline').waitFor();
  await inPage(page, moveOftenInPage, changes);
  // Wait longer than an announcement would take.
  await page.clock.fastForward(5_000);
  await section(page, 'Sync').click();
  await page.getByText('No connection to the server.').waitFor();
  const bar = page.getByRole('progressbar', { name: 'In progress' });
  expect(await bar.count()).toBe(0);

  await page.context().setOffline(false);
  const letFirstGo = await proxy.held();
  await page.getByText(`0 of ${shownChanges}`, { exact: true }).waitFor();
  await announced(page, `Sending ${shownChanges}`).waitFor();
  await expectNoViolationsInOneScheme(page);
  letFirstGo();
  const letRestGo = await proxy.held();
  await page.getByText(`1,000 of ${shownChanges}`, { exact: true }).waitFor();
  expect(await bar.evaluate(({ value, max }: HTMLProgressElement) => [value, max])).toEqual([1_000, changes]);
  await expectNoViolationsInOneScheme(page);
  letRestGo();
  await status(page, 'All safe on the server').waitFor();
  await bar.waitFor({ state: 'detached' });
  await announced(page, 'All safe on the server').waitFor();

  const announcements = await inPage(page, () => window.announcements);
  expect(announcements.filter((text) => text.startsWith('Offline'))).toEqual(['Offline']);
  expect(announcements.filter((text) => text.startsWith('Sending'))).toEqual([`Sending ${shownChanges}`]);
  const { stages } = await server.rest.get<FullMap>(`/maps/${map.id}`);
  expect(stages.map(({ stage }) => stage)).toEqual(['Press', 'Load']);
});

/** Moves a stage down and up by its keys, each time once the move before is announced. */
async function moveOftenInPage(times: number): Promise<void> {
  for (let moves = 1; moves <= times; moves++) {
    const [key, place] = moves % 2 === 1 ? (['ArrowDown', 2] as const) : (['ArrowUp', 1] as const);
    const isAnnounced = () => document.body.textContent!.includes(`Load moved to position ${place} of 2`);
    document
      .querySelector('button[aria-label="Move Load"]')!
      .dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    await new Promise<void>((resolve) => {
      const observer = new MutationObserver(() => {
        if (!isAnnounced()) return;
        observer.disconnect();
        resolve();
      });
      observer.observe(document.body, { characterData: true, childList: true, subtree: true });
      if (isAnnounced()) {
        observer.disconnect();
        resolve();
      }
    });
  }
}

const liveRegion = '.phone-top [aria-live="polite"]';
const announced = (page: Page, text: string | RegExp) => page.locator(liveRegion).getByText(text);

/** Notes all later announcements of the sync status to screen readers. */
async function listen(page: Page): Promise<void> {
  await page.locator(liveRegion).evaluate((region) => {
    window.announcements = [];
    const write = () => window.announcements.push(region.textContent!);
    new MutationObserver(write).observe(region, { characterData: true, childList: true, subtree: true });
  });
}

declare global {
  interface Window {
    announcements: string[];
  }
}
