/** The watch face. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import type { FullMap, MapRecord } from '../../../../shared/schema/map.ts';
import type { RunDoc, RunRecord } from '../../../../shared/schema/run.ts';
import { openBrowser, createUserDataDir } from '../../browser.ts';
import { inPage } from '../../in-page.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { keptForOffline, openDevice, pair } from '../devices.ts';
import { button, finish, heading, nextStep, status, tapNext } from '../locators.ts';
import { runsOf } from '../recorded-runs.ts';
import { chooseType, more, newMap, openWatch, smallestWatch, startRecording } from '../watch-page.ts';

const app = builtApp();

async function nameNextStep(page: Page, name: string): Promise<void> {
  await more(page).click();
  await button(page, 'New name').click();
  await page.getByLabel('Name of the next step').fill(name);
  await page.keyboard.press('Enter');
  await heading(page, name).waitFor();
}

test('[APP-20] a recording on the watch outlives a killed browser and a server that is away, and is on the server once', async () => {
  const server = await appServer(app.folder);
  await newMap(server, 'Press line');
  const folder = await createUserDataDir();
  onTestFinished(() => folder.remove());
  const first = await openBrowser(folder.path);
  onTestFinished(() => first.kill());
  const before = await first.context.newPage();
  await before.setViewportSize(smallestWatch);
  await pair(before, await server.newLink('wearable'));
  await status(before, 'Safe').waitFor();
  await keptForOffline(before);
  await button(before, 'Press line').waitFor();
  await server.kill();
  await button(before, 'Press line').click();
  await nextStep(before, 'Load').click();
  await heading(before, 'Load').waitFor();
  await first.kill();

  const second = await openBrowser(folder.path);
  onTestFinished(() => second.kill());
  const page = await second.context.newPage();
  await page.setViewportSize(smallestWatch);
  await page.goto(`${server.url}/watch`);
  await heading(page, 'Load').waitFor();
  await status(page, 'Offline · 1 step').waitFor();
  await chooseType(page, 'Waste');
  await nextStep(page, 'Press').click();
  await heading(page, 'Press').waitFor();
  await more(page).click();
  await button(page, 'Note').click();
  await page.getByLabel('Note for Press').fill('Crane late');
  await button(page, 'Done').click();
  await nameNextStep(page, 'Oil the die');
  await finish(page);
  await page.getByText('On this watch').waitFor();
  await server.start();
  await page.reload();
  await status(page, 'Safe').waitFor();
  const [map] = await server.rest.list<MapRecord>('/maps');
  expect(map).toMatchObject({ name: 'Press line', run_count: 2 });
  const runs = await server.rest.list<RunRecord>(`/maps/${map!.id}/runs`);
  const docs = await Promise.all(runs.map(({ id }) => server.rest.get<RunDoc>(`/runs/${id}`)));
  const mine = docs.filter((run) => run.steps.some(({ stage_name }) => stage_name === 'Oil the die'));
  expect(
    mine.map((run) => run.steps.map(({ stage_name, work_type, notes }) => [stage_name, work_type, notes])),
  ).toEqual([
    [
      ['Load', 'incidental', ''],
      ['Press', 'waste', 'Crane late'],
      ['Oil the die', 'incidental', ''],
    ],
  ]);
});

test('[APP-21] [APP-150] [APP-354] undo takes back the last tap, and what was given up can be taken up again', async () => {
  const server = await appServer(app.folder);
  const page = await openWatch(server);
  await startRecording(page);
  await nextStep(page, 'Press').click();
  await heading(page, 'Press').waitFor();
  await button(page, 'Undo').click();
  await heading(page, 'Load').waitFor();
  await more(page).click();
  await button(page, 'Discard recording').click();
  await button(page, 'Resume').click();
  await heading(page, 'Load').waitFor();
  await more(page).click();
  await button(page, 'Discard recording').click();
  await button(page, 'Done').click();
  await button(page, /^Resume Saw 1 step · \d/).click();
  await heading(page, 'Load').waitFor();
  expect(await heading(page, 'Record').count()).toBe(0);
});

test('[APP-172] [APP-170] a short tap does not finish, a hold does, and Undo goes on with the last step', async () => {
  const server = await appServer(app.folder);
  const page = await openWatch(server);
  await startRecording(page);
  await button(page, 'Finish').click();
  await page.getByText('Hold to finish').waitFor();
  await heading(page, 'Load').waitFor();
  await button(page, 'Finish').click({ delay: 700 });
  await page.getByText('Map is updated').waitFor();
  await button(page, 'Undo').click();
  await heading(page, 'Load').waitFor();
  await finish(page);
  await page.getByText('Map is updated').waitFor();
  await button(page, 'Done').click();
  await button(page, 'Saw').waitFor();
  const [map] = await server.rest.list<MapRecord>('/maps');
  await expect.poll(async () => (await server.rest.get<MapRecord>(`/maps/${map!.id}`)).run_count).toBe(2);
  const { stages } = await server.rest.get<FullMap>(`/maps/${map!.id}`);
  expect(stages.map(({ stage }) => stage)).toEqual(['Load', 'Press']);
});

test('[APP-304] a click without a finger, as of a screen reader, finishes without a hold', async () => {
  const server = await appServer(app.folder);
  const page = await openWatch(server);
  await startRecording(page);
  await button(page, 'Finish').dispatchEvent('click', { detail: 1 });
  await page.getByText('Map is updated').waitFor();
  expect(await page.getByText('Hold to finish').count()).toBe(0);
});

test('[APP-22] [APP-86] [APP-347] at the end the watch shows the steps with their times, three clear of the button, and who has them', async () => {
  const server = await appServer(app.folder);
  const page = await openWatch(server);
  await keptForOffline(page);
  await startRecording(page);
  await nextStep(page, 'Press').click();
  await heading(page, 'Press').waitFor();
  await nameNextStep(page, 'Oil the die');
  await status(page, '3 steps on watch').waitFor();
  await server.kill();
  await finish(page);
  await page.getByText('On this watch').waitFor();
  await status(page, 'Offline · 1 run').waitFor();
  const rows = page.getByRole('list', { name: 'Steps' }).getByRole('listitem');
  expect(await rows.allInnerTexts()).toEqual([
    expect.stringMatching(/^Load\s+\d+:\d\d$/),
    expect.stringMatching(/^Press\s+\d+:\d\d$/),
    expect.stringMatching(/^Oil the die\s+\d+:\d\d$/),
  ]);
  const [last, done] = await Promise.all([rows.last(), button(page, 'Done')].map((it) => it.boundingBox()));
  expect(last!.y + last!.height).toBeLessThanOrEqual(done!.y);
  expect(done!.y + done!.height).toBeLessThanOrEqual(192);
  await server.start();
  await inPage(page, () => dispatchEvent(new Event('online')));
  await page.getByText('Safe on the server').waitFor();
});

test('[APP-24] [APP-151] each tap that was taken is felt, and the screen stays lit while something is recorded', async () => {
  const server = await appServer(app.folder);
  await newMap(server, 'Saw');
  const { page } = await openDevice(smallestWatch);
  await page.addInitScript(tellAsked);
  await pair(page, await server.newLink('wearable'));
  await startRecording(page);
  await expect.poll(() => asked(page)).toEqual(['lit screen', 'vibrate 40', 'vibrate 40']);
  await inPage(page, () => document.dispatchEvent(new Event('visibilitychange')));
  await expect.poll(() => asked(page)).toEqual(['lit screen', 'lit screen', 'vibrate 40', 'vibrate 40']);
});

const asked = (page: Page) => inPage(page, () => (window as unknown as { asked: string[] }).asked.toSorted());

/** Notes and grants each request of the page to the browser, such as vibration. */
function tellAsked() {
  const requests: string[] = [];
  Object.assign(window, { asked: requests });
  const vibrate = navigator.vibrate.bind(navigator);
  navigator.vibrate = (pattern) => {
    requests.push(`vibrate ${String(pattern)}`);
    return vibrate(pattern as VibratePattern);
  };
  const request = navigator.wakeLock.request.bind(navigator.wakeLock);
  navigator.wakeLock.request = (type) => {
    requests.push('lit screen');
    return request(type);
  };
}

test('[APP-169] a watch asks what becomes of a future map', async () => {
  const server = await appServer(app.folder);
  const { body } = await server.rest.send<MapRecord>('POST', '/maps', { name: 'Saw', state: 'future' });
  const stages = ['Load', 'Press'].map((stage) => ({ stage, cycle_time_hrs: 0.01 }));
  await server.rest.send('POST', `/maps/${body.id}/stages/replace`, { stages });
  const { page } = await openDevice(smallestWatch);
  await pair(page, await server.newLink('wearable'));
  await startRecording(page);
  await tapNext(page, 'Press');
  await finish(page);
  await page.getByText('A future state').waitFor();
  await button(page, 'Only this run').click();
  await page.getByText('Map stays as it is').waitFor();
  await button(page, 'Done').click();
  await expect.poll(async () => (await server.rest.get<MapRecord>(`/maps/${body.id}`)).run_count).toBe(1);
  expect((await server.rest.get<FullMap>(`/maps/${body.id}`)).stages).toMatchObject(stages);
});

test('[APP-173] [APP-521] taps within 250 ms start one step on a watch, whose names say now and next', async () => {
  const server = await appServer(app.folder);
  const page = await openWatch(server);
  await button(page, 'Saw').click();
  await nextStep(page, 'Load').waitFor();
  const now = page.getByRole('region', { name: 'Now', exact: true });
  expect(await now.count()).toBe(0);
  await inPage(page, () => {
    const next = document.querySelector<HTMLButtonElement>('.watch-next');
    for (let taps = 0; taps < 3; taps++) next?.click();
  });
  await now.getByRole('heading', { name: 'Load', exact: true }).waitFor();
  await now.getByRole('timer', { name: 'Load', exact: true }).waitFor();
  await tapNext(page, 'Press');
  await now.getByRole('heading', { name: 'Press', exact: true }).waitFor();
  await finish(page);
  await button(page, 'Done').click();
  const [map] = await server.rest.list<MapRecord>('/maps');
  await expect.poll(async () => (await runsOf(server, map!.id)).length).toBe(2);
  const [, run] = await runsOf(server, map!.id);
  expect(run?.steps.map(({ stage_name }) => stage_name)).toEqual(['Load', 'Press']);
});
