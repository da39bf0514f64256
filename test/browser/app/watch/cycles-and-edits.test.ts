/** Edits, cycles, interruptions and pauses on the watch. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { FullMap, MapRecord } from '../../../../shared/schema/map.ts';
import { inPage } from '../../in-page.ts';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer, type AppServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { openDevice, pair } from '../devices.ts';
import { atWorkersPace, button, finish, heading, tapNext } from '../locators.ts';
import { runsOf } from '../recorded-runs.ts';
import { more } from '../watch-page.ts';

const app = builtApp();

const size = { width: 384, height: 384 };

async function openWatch(server: AppServer): Promise<Page> {
  const { page } = await openDevice(size);
  await pair(page, await server.newLink('wearable'));
  return page;
}

test('[APP-371] each of many steps of a new process is found', async () => {
  const server = await appServer(app.folder);
  const page = await openWatch(server);
  await button(page, 'New process').click();
  await button(page, 'First step').click();
  await heading(page, 'Step 1').waitFor();
  for (let step = 2; step <= 21; step++) {
    await atWorkersPace(page);
    await button(page, 'Next step').click();
    await heading(page, `Step ${step}`).waitFor();
  }
  await atWorkersPace(page);
  await more(page).click();
  expect(await button(page, 'Step 15').count()).toBe(0);
  await button(page, 'All names: 21').click();
  await button(page, '1 to 21').click();
  await button(page, 'Step 15').click();
  await heading(page, 'Step 15').waitFor();
});

test('[APP-191] [APP-192] [APP-345] [APP-433] the watch pauses, records an interruption, retypes the step before, and shows times without pauses', async () => {
  const server = await appServer(app.folder);
  const steps = ['Load', 'Press', 'Pack'].map((stage_name, index) => ({
    stage_name,
    duration_secs: 40,
    order: index,
    work_type: 'incidental',
  }));
  await server.rest.send('POST', '/recording/new', { name: 'Saw', steps });
  const page = await openWatch(server);
  await button(page, 'Saw').click();
  await tapNext(page, 'Load');
  await tapNext(page, 'Press');
  await button(page, 'Pause').click();
  await page.getByText('Paused').waitFor();
  const clock = page.getByRole('timer');
  const shown = await clock.innerText();
  await expectNoViolationsInOneScheme(page);
  expect(await clock.innerText()).toBe(shown);
  await inPage(page, () => {
    const [now, hourMs] = [Date.now.bind(Date), 3_600_000];
    Date.now = () => now() + hourMs;
  });
  await button(page, 'Paused Resume').click();
  await button(page, 'Interruption').click();
  await heading(page, 'Interruption').waitFor();
  await atWorkersPace(page);
  await button(page, 'Back to: Press').click();
  await heading(page, 'Press').waitFor();
  await more(page).click();
  await expectNoViolationsInOneScheme(page);
  await button(page, 'Edit Press').click();
  await expectNoViolationsInOneScheme(page);
  await button(page, 'Waste').click();
  await heading(page, 'Press').waitFor();
  await finish(page);
  const summary = page.getByRole('list', { name: 'Steps' }).getByRole('listitem');
  await expect.poll(() => summary.count()).toBe(4);
  for (const text of await summary.allInnerTexts()) expect(text).toMatch(/\s0:0\d$/);
  expect(await page.getByRole('heading').innerText()).toMatch(/0:0\d$/);
  await button(page, 'Done').click();
  const [map] = await server.rest.list<MapRecord>('/maps');
  await expect.poll(async () => (await runsOf(server, map!.id)).length).toBe(2);
  const [, run] = await runsOf(server, map!.id);
  expect(run?.steps.map(({ stage_name, work_type }) => [stage_name, work_type])).toEqual([
    ['Load', 'incidental'],
    ['Press', 'incidental'],
    ['Interruption', 'waste'],
    ['Press', 'waste'],
  ]);
  expect((await server.rest.get<FullMap>(`/maps/${map!.id}`)).stages.map(({ stage }) => stage)).toEqual([
    'Load',
    'Press',
    'Pack',
  ]);
});
