/** Refused work and its remedies on the phone. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { MapRecord } from '../../../../shared/schema/map.ts';
import type { RunDoc, RunRecord } from '../../../../shared/schema/run.ts';
import { operatorToken, restClient } from '../../../device/test-server.ts';
import { inPage } from '../../in-page.ts';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer, newCode, type AppServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { keptForOffline, openDevice, pair } from '../devices.ts';
import { button, createMap, heading, recordOneStep, status } from '../locators.ts';

const app = builtApp();

/** Makes a recording that the server refuses, because the map is deleted before the upload. */
async function makeRefusedRecording(server: AppServer, page: Page): Promise<void> {
  await pair(page, server.link);
  await createMap(page, 'Press line');
  await status(page, 'All safe on the server').waitFor();
  await keptForOffline(page);
  await server.kill();
  await recordOneStep(page);
  await heading(page, 'Press line').waitFor();
  // Leave the app, so that the map is deleted before the recording is uploaded.
  const { url } = server;
  await page.goto('about:blank');
  await server.start();
  const [map] = await server.rest.list<MapRecord>('/maps');
  const { status: answered } = await server.rest.send('POST', `/maps/${map!.id}/delete`);
  expect(answered).toBe(200);
  await page.goto(url);
  await status(page, '1 item needs attention').click();
  await heading(page, 'Recording').waitFor();
}

test('[APP-43] [APP-142] what the server refused is said with its reason, given up and brought back, and solved by its remedy', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice();
  await makeRefusedRecording(server, page);
  await page.getByText('The recording was not taken. Its map is in the recycle bin.').waitFor();
  await expectNoViolationsInOneScheme(page);

  await button(page, 'Discard').click();
  await heading(page, 'Nothing needs attention').waitFor();
  await expectNoViolationsInOneScheme(page);
  await button(page, 'Restore').click();
  await button(page, 'Restore the map').click();
  await heading(page, 'Nothing needs attention').waitFor();
  await status(page, 'All safe on the server').waitFor();
  const [map] = await server.rest.list<MapRecord>('/maps');
  expect(map).toMatchObject({ name: 'Press line', deleted: false, run_count: 1 });
  const [run] = await server.rest.list<RunRecord>(`/maps/${map!.id}/runs`);
  expect((await server.rest.get<RunDoc>(`/runs/${run!.id}`)).steps).toMatchObject([{ stage_name: 'Step 1' }]);
});

test('[APP-83] a name that an older version let through and the server refuses is shortened and sent', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice();
  await pair(page, server.link);
  await status(page, 'All safe on the server').waitFor();
  await keptForOffline(page);
  await page.context().setOffline(true);
  await createMap(page, 'Press line');
  await status(page, 'Offline · 1 change to upload').waitFor();
  // Opens a page of the same origin without the app, since the app would overwrite the changed row.
  await page.goto(`${server.url}/manifest.webmanifest`);
  const long = `Press line ${'x'.repeat(190)}`;
  expect(await renameMapInOutbox(page, long)).toBe(1);
  await page.context().setOffline(false);
  await page.goto(server.url);

  await status(page, '1 item needs attention').click();
  await heading(page, `New map: ${long}`).waitFor();
  await page.getByText('The new map was not taken. Something in it is not as it should be').waitFor();
  await expectNoViolationsInOneScheme(page);
  await button(page, 'Edit and send').click();
  const form = page.getByRole('dialog');
  await form.getByText('1 character too long').waitFor();
  await expectNoViolationsInOneScheme(page);
  await form.getByLabel('Name').fill(' ');
  await form.getByText('This cannot be empty.').waitFor();
  // An invalid form stays open, and sends nothing.
  await form.getByRole('button', { name: 'Edit and send' }).click();
  await form.getByLabel('Name').fill('Press line 2');
  await form.getByRole('button', { name: 'Edit and send' }).click();
  await heading(page, 'Nothing needs attention').waitFor();
  await status(page, 'All safe on the server').waitFor();
  const maps = await server.rest.list<MapRecord>('/maps');
  expect(maps.map(({ name }) => name)).toEqual(['Press line 2']);
});

test('[APP-443] changes that the plan had no room for are sent again by one tap', async () => {
  const server = await appServer(app.folder);
  const operator = restClient(server.url, operatorToken);
  const account = { name: 'Small', plan: 'free' };
  const { body } = await operator.send<{ api_key: string }>('POST', '/admin/accounts', account);
  const rest = restClient(server.url, body.api_key);
  for (const name of ['Saw', 'Press line']) await rest.send('POST', '/maps', { name });
  const { page } = await openDevice();
  await pair(page, `${server.url}/pair#${await newCode(rest, 'phone')}`);
  await page.getByText('Press line').waitFor();
  await createMap(page, 'Gearbox');
  await status(page, '1 item needs attention').waitFor();
  await page.goto(server.url);
  await createMap(page, 'Lathe');
  await status(page, '2 items need attention').waitFor();
  for (const { id } of await rest.list<MapRecord>('/maps')) await rest.send('POST', `/maps/${id}/delete`);

  await page.goto(`${server.url}/attention`);
  await button(page, 'Send all 2 again').waitFor();
  await expectNoViolationsInOneScheme(page);
  await button(page, 'Send all 2 again').click();
  await heading(page, 'Nothing needs attention').waitFor();
  await status(page, 'All safe on the server').waitFor();
  const maps = await rest.list<MapRecord>('/maps');
  expect(maps.filter(({ deleted }) => !deleted).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Gearbox', 'Lathe']),
  );
});

/** Gives the new map in the outbox a name that an older version allowed. Returns the number of changed rows. */
const renameMapInOutbox = (page: Page, name: string): Promise<number> =>
  inPage(
    page,
    async (to: string) => {
      const done = <Value>(asked: IDBRequest<Value>) =>
        new Promise<Value>((resolve, reject) => {
          asked.addEventListener('success', () => resolve(asked.result));
          asked.addEventListener('error', () => reject(asked.error));
        });
      const { name: outbox } = (await indexedDB.databases()).find((it) => it.name?.endsWith('outbox'))!;
      const database = await done(indexedDB.open(outbox!));
      const docs = database.transaction('docs', 'readwrite').objectStore('docs');
      const rows = (await done(docs.getAll())) as { body: { name?: string; args: { name: string } } }[];
      const made = rows.filter(({ body }) => body.name === 'create_map');
      for (const row of made) {
        row.body.args.name = to;
        await done(docs.put(row));
      }
      database.close();
      return made.length;
    },
    name,
  );
