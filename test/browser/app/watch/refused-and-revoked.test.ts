/** Messages, refused runs and a revoked watch with unsent runs. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { MapRecord } from '../../../../shared/schema/map.ts';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { keptForOffline, watchSizes } from '../devices.ts';
import { atWorkersPace, button, finish, heading, nextCycle, nextStep, status } from '../locators.ts';
import { reachOf } from '../round-screen.ts';
import { runsOf } from '../recorded-runs.ts';
import { openWatch, startRecording } from '../watch-page.ts';

const app = builtApp();

async function recordOneRun(page: Page): Promise<void> {
  await startRecording(page);
  await nextStep(page, 'Press').click();
  await heading(page, 'Press').waitFor();
  await finish(page);
  await button(page, 'Done').click();
}

test('[APP-481] a message goes with the next step, at a finish and at a discard', async () => {
  const page = await openWatch(await appServer(app.folder));
  const message = page.locator('.toast');
  const tapFinishShortly = async () => {
    await button(page, 'Finish').click();
    await message.getByText('Hold to finish').waitFor();
  };
  await startRecording(page);
  await tapFinishShortly();
  await nextStep(page, 'Press').click();
  await heading(page, 'Press').waitFor();
  expect(await message.count()).toBe(0);
  await tapFinishShortly();
  await finish(page);
  await page.getByRole('list', { name: 'Steps' }).waitFor();
  expect(await message.count()).toBe(0);
  await button(page, 'Undo').click();
  await message.getByText('Recording continues').waitFor();
  await button(page, 'Other step, note or discard').click();
  await button(page, 'Discard recording').click();
  await heading(page, 'Recording discarded').waitFor();
  expect(await message.count()).toBe(0);
});

test('[APP-484] a revoked watch says how many runs it has not sent', async () => {
  const server = await appServer(app.folder);
  const page = await openWatch(server);
  await button(page, 'Saw').waitFor();
  await page.context().setOffline(true);
  await recordOneRun(page);
  await recordOneRun(page);
  const [watch] = await server.rest.list<{ id: string }>('/devices');
  await server.rest.send('POST', `/devices/${watch!.id}/revoke`);
  await page.context().setOffline(false);
  await page.getByRole('link', { name: 'Pair again 2 runs on watch' }).waitFor();
  await expectNoViolationsInOneScheme(page);
});

test('[APP-485] a watch lists refused runs, and saves, discards and restores them', async () => {
  const server = await appServer(app.folder);
  const page = await openWatch(server);
  await button(page, 'Saw').waitFor();
  await keptForOffline(page);
  await page.context().setOffline(true);
  await recordOneRun(page);
  await recordOneRun(page);
  const [map] = await server.rest.list<MapRecord>('/maps');
  await server.rest.send('POST', `/maps/${map!.id}/delete`);
  await page.context().setOffline(false);
  await button(page, '2 refused').click();
  const refused = page.getByRole('list', { name: 'Needs attention' }).getByRole('listitem');
  await expect.poll(() => refused.count()).toBe(2);
  expect(await refused.first().innerText()).toMatch(/Saw[\s\S]*Its map is in the recycle bin/);
  expect(await button(page, 'Restore the map').count()).toBe(0);
  await expectNoViolationsInOneScheme(page);
  for (const size of watchSizes) {
    await page.setViewportSize(size);
    for (const name of ['Back', 'Save as a new map', 'Discard']) {
      const shown = button(page, name).first();
      await shown.evaluate((element) => element.scrollIntoView({ block: 'center' }));
      expect(await reachOf(shown), name).toBeLessThanOrEqual(1);
      expect((await shown.boundingBox())!.height, name).toBeGreaterThanOrEqual(size.height / 4 - 0.01);
    }
  }
  await button(page, 'Discard').first().click();
  await expect.poll(() => refused.count()).toBe(1);
  await button(page, 'Restore').click();
  await expect.poll(() => refused.count()).toBe(2);
  await button(page, 'Discard').first().click();
  await expect.poll(() => refused.count()).toBe(1);
  await button(page, 'Save as a new map').click();
  await heading(page, 'Nothing needs attention').waitFor();
  await button(page, 'Back').click();
  await status(page, 'Safe').waitFor();
  const saved = await server.rest.list<MapRecord>('/maps');
  expect(saved.map(({ run_count }) => run_count)).toEqual([1]);
});

test('[APP-486] the time between two cycles is a step by a setting of the watch', async () => {
  const server = await appServer(app.folder);
  const page = await openWatch(server);
  await button(page, 'Record time between cycles').click();
  await button(page, 'Skip time between cycles').waitFor();
  await page.reload();
  await button(page, 'Skip time between cycles').waitFor();
  await startRecording(page);
  await nextStep(page, 'Press').click();
  await heading(page, 'Press').waitFor();
  await atWorkersPace(page);
  await nextCycle(page, 'Between cycles').click();
  await heading(page, 'Between cycles').waitFor();
  await atWorkersPace(page);
  await nextStep(page, 'Load').click();
  await heading(page, 'Load').waitFor();
  await finish(page);
  await button(page, 'Done').click();
  const [map] = await server.rest.list<MapRecord>('/maps');
  await expect.poll(async () => (await runsOf(server, map!.id)).length).toBe(3);
  const last = (await runsOf(server, map!.id)).at(-1);
  expect(last?.steps.map(({ stage_name }) => stage_name)).toEqual(['Between cycles', 'Load']);
});
