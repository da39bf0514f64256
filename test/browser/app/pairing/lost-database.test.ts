/** Phones and watches whose browser lost the database, but not the second copy of unsent work. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { UnsentFile } from '../../../../client/transfer/unsent-file.ts';
import type { MapRecord } from '../../../../shared/schema/map.ts';
import { inPage } from '../../in-page.ts';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer, type AppServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { keptForOffline, openDevice, pair, watchSizes } from '../devices.ts';
import { button, createMap, finish, heading, recordOneStep, section, status } from '../locators.ts';

const app = builtApp();

/** Opens a page of the same origin without the app, since the app keeps its database open. */
async function loseDatabase(page: Page, { url }: AppServer, { losesName = false } = {}): Promise<void> {
  await page.goto(`${url}/manifest.webmanifest`);
  await inPage(
    page,
    async (isCleared) => {
      if (isCleared) localStorage.clear();
      for (const { name } of await indexedDB.databases()) {
        await new Promise((resolve, reject) => {
          const deletion = indexedDB.deleteDatabase(name!);
          deletion.addEventListener('success', resolve);
          deletion.addEventListener('error', reject);
        });
      }
    },
    losesName,
  );
}

test('[APP-461] a phone that lost its database says what it kept, saves it as a file and records on; paired again it sends all of it', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice();
  await pair(page, server.link);
  await createMap(page, 'Press line');
  await status(page, 'All safe on the server').waitFor();
  await keptForOffline(page);
  await page.context().setOffline(true);
  await recordOneStep(page);
  await section(page, 'Maps').click();
  await createMap(page, 'Saw');
  await button(page, 'Record').click();
  await button(page, 'First step').click();
  await heading(page, 'Step 1').waitFor();

  await loseDatabase(page, server, { losesName: true });
  await page.goto(server.url);
  await heading(page, 'Pair this phone').waitFor();
  await heading(page, 'Unsent work is kept').waitFor();
  await page.getByText('2 changes or recordings', { exact: true }).waitFor();
  await page.getByText('A recording under way with 1 step', { exact: true }).waitFor();
  await expectNoViolationsInOneScheme(page);
  const downloading = page.waitForEvent('download');
  await button(page, 'Save as a file').click();
  const file: UnsentFile = JSON.parse(await readFile(await (await downloading).path(), 'utf8'));
  expect(file.mutations.map(({ name }) => name).toSorted()).toEqual(['create_map', 'upload_recording']);
  expect(file.draft.map(({ kind }) => kind)).toEqual(['started', 'stepped']);

  await button(page, 'Continue without pairing').click();
  await status(page, 'No longer paired').waitFor();
  await page.getByText('Saw', { exact: true }).first().waitFor();
  await section(page, 'Record').click();
  await heading(page, 'Step 1').waitFor();
  await status(page, 'No longer paired').click();
  await page.getByRole('definition').getByText('The browser deleted the data of this device.').waitFor();

  await page.context().setOffline(false);
  await pair(page, await server.newLink('phone'));
  await section(page, 'Record').click();
  await finish(page);
  await status(page, 'All safe on the server').waitFor();
  const maps = await server.rest.list<MapRecord>('/maps');
  expect(Object.fromEntries(maps.map(({ name, run_count }) => [name, run_count]))).toEqual({ 'Press line': 1, Saw: 1 });
});

test('[APP-461] a watch that lost its database says what it kept, and records on', async () => {
  const server = await appServer(app.folder);
  await server.rest.send('POST', '/maps', { name: 'Saw' });
  const { page } = await openDevice(watchSizes[0]);
  await pair(page, await server.newLink('wearable'));
  await button(page, 'Saw').waitFor();
  await keptForOffline(page);
  await page.context().setOffline(true);
  await button(page, 'Saw').click();
  await button(page, 'First step').click();
  await heading(page, 'Step 1').waitFor();

  await loseDatabase(page, server);
  await page.goto(`${server.url}/watch`);
  await page.getByText('A recording under way with 1 step', { exact: true }).waitFor();
  expect(await button(page, 'Save as a file').count()).toBe(0);
  await expectNoViolationsInOneScheme(page);
  await button(page, 'Continue without pairing').click();
  await heading(page, 'Step 1').waitFor();
});
