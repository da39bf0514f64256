/** Toasts while a dialog is open. Real server process, real Chromium. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { MapRecord } from '../../../../shared/schema/map.ts';
import { stagesPerMapMax } from '../../../../shared/schema/limits.ts';
import { Api } from '../../../contract/fixture.ts';
import { SyncClient } from '../../../contract/sync-client.ts';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer, type AppServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { openDevice, pair } from '../devices.ts';
import { button, createMap, mapAction } from '../locators.ts';

const app = builtApp();

test('[APP-99] what is refused while a dialog is open is said in it, in sight, and its field stays as it is', async () => {
  const server = await appServer(app.folder);
  await newFullMap(server, 'Press line');
  const { page } = await openDevice();
  await pair(page, server.link);
  await page.getByText('Press line').click();
  await button(page, 'Add stage').click();
  const dialog = page.getByRole('dialog', { name: 'Add stage' });
  const toast = dialog.locator('.toasts[role=status]');
  // A screen reader announces only text that is added to an existing region, so the region must exist before its text.
  await expect.poll(() => toast.textContent()).toBe('');
  await page.getByLabel('Stage name').fill('Pack');
  const next = await toast.evaluateHandle(nextToastIn);
  await button(page, 'Add').click();
  const text = `/stage: a map has at most ${stagesPerMapMax} stages`;
  expect(await next.evaluate(({ seen }) => seen)).toEqual({ text, isRead: true });
  expect(await page.getByLabel('Stage name').inputValue()).toBe('Pack');
  await expectNoViolationsInOneScheme(page);
});

test('[APP-99] a way back that was offered still works while a dialog is open', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice();
  await pair(page, server.link);
  await createMap(page, 'Press line');
  await mapAction(page, 'Delete');
  await button(page, 'New map').click();
  await page.getByRole('dialog', { name: 'New map' }).waitFor();
  await button(page, 'Undo').click();
  await button(page, 'Close').click();
  await page.getByText('Press line', { exact: true }).waitFor();
  expect(await button(page, 'Undo').count()).toBe(0);
});

test('[APP-112] a message without a way back lets taps through, one with a way back does not', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice();
  await pair(page, server.link);
  const takesTaps = () =>
    page.locator('.toast').evaluate((message) => {
      const { left, top, width, height } = message.getBoundingClientRect();
      return message.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
  await page.locator('.toast').waitFor();
  expect(await takesTaps()).toBe(false);
  await createMap(page, 'Press line');
  await mapAction(page, 'Delete');
  await button(page, 'Undo').waitFor();
  expect(await takesTaps()).toBe(true);
});

/** Makes a map with the maximum number of stages. */
async function newFullMap({ url, rest, newLink }: AppServer, name: string): Promise<void> {
  const { body: map } = await rest.send<MapRecord>('POST', '/maps', { name });
  const [, code] = (await newLink('phone')).split('#');
  const device = { code, device_id: randomUUID(), device_name: 'Another', device_kind: 'phone' };
  const { body: paired } = await rest.send<{ token: string; account: { id: string } }>('POST', '/auth/pair', device);
  const client = new SyncClient(new Api({ url, key: paired.token, accountId: paired.account.id }));
  const stages = Array.from({ length: stagesPerMapMax }, (_, index) =>
    client.next('add_stage', { map_id: map.id, stage: `Stage ${index + 1}` }),
  );
  const { body } = await client.push(stages);
  expect(body.results.filter(({ status }: { status: string }) => status !== 'applied')).toEqual([]);
}

/**
 * Returns the next toast, and whether a person can see it. Both are read at once, since a toast disappears by itself.
 */
function nextToastIn(region: Element) {
  const seen = new Promise<{ text: string; isRead: boolean }>((resolve) => {
    new MutationObserver(() => {
      const toast = region.querySelector('span');
      // The region also changes when a toast disappears.
      if (!toast) return;
      // Let the toast receive taps. Otherwise `elementFromPoint` would return the element behind the toast.
      toast.style.pointerEvents = 'auto';
      const { left, top, width, height } = toast.getBoundingClientRect();
      const front = document.elementFromPoint(left + width / 2, top + height / 2);
      resolve({ text: toast.textContent, isRead: toast.contains(front) });
    }).observe(region, { childList: true });
  });
  return { seen };
}
