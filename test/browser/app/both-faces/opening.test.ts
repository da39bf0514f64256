/** The app from its start until all rows of the device are read. Real server process, real Chromium. */
import { expect, test } from 'vitest';
import { inPage } from '../../in-page.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { keptForOffline, openDevice, pair } from '../devices.ts';
import { atWorkersPace, button, createMap, heading, nextStep, section, status } from '../locators.ts';

const app = builtApp();

test('[APP-90] a recording begins and goes on, offline, while the app still reads what the device has', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice();
  await pair(page, server.link);
  await createMap(page, 'Press line');
  await status(page, 'All safe on the server').waitFor();
  await keptForOffline(page);
  await server.kill();

  await page.addInitScript(readSlowly);
  await page.reload();
  await heading(page, 'Press line').waitFor();
  await button(page, 'Record').click();
  await button(page, 'First step').click();
  await heading(page, 'Step 1').waitFor();
  await status(page, 'Loading…').waitFor();
  await inPage(page, goOn);
  await status(page, 'Offline · 1 step on this device').waitFor();

  await page.reload();
  await heading(page, 'Step 1').waitFor();
  await atWorkersPace(page);
  await button(page, 'Next step').click();
  await heading(page, 'Step 2').waitFor();
  await status(page, 'Loading…').waitFor();
  await inPage(page, goOn);
  await status(page, 'Offline · 2 steps on this device').waitFor();
  expect(await heading(page, 'Step 2').count()).toBe(1);
});

test('[APP-73] [APP-120] the maps of last time are there before the engine is open, lead where they say, and nothing else says anything', async () => {
  const { page, openEngine } = await closedPhone();
  await page.getByText('Press line').click();
  await heading(page, 'Press line').waitFor();
  await status(page, 'Loading…').waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/maps\/./);
  await section(page, 'Sync').click();
  expect(await page.locator('main').innerText()).toBe('');
  await page.goBack();
  await page.goBack();
  await page.getByText('Saw').click();
  expect(await page.locator('main').innerText()).toBe('');
  await openEngine();
  await heading(page, 'Saw').waitFor();
  await status(page, 'Offline').waitFor();
});

test('[APP-93] a tap on a map of last time begins a recording before the engine is open, shown once it is on the device', async () => {
  const { page, openEngine } = await closedPhone();
  await page.getByText('Press line').click();
  await button(page, 'Record').click();
  await expect.poll(() => button(page, 'Record').isDisabled()).toBe(true);
  await status(page, 'Loading…').waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/maps\/./);
  await openEngine();
  await button(page, 'First step').click();
  await heading(page, 'Step 1').waitFor();
  await button(page, 'Other step, note or discard').click();
  await button(page, 'Discard recording').click();
  await page.getByText('No recording in progress').waitFor();
});

test('[APP-123] a map that is made before the engine is open is made once', async () => {
  const { page, openEngine } = await closedPhone();
  await button(page, 'New map').click();
  await page.getByLabel('Process name').fill('Grinding');
  await button(page, 'Create').click();
  await expect.poll(() => button(page, 'Create').isDisabled()).toBe(true);
  await openEngine();
  await heading(page, 'Grinding').waitFor();
  await page.goBack();
  await page.getByText('Grinding').waitFor();
  expect(await page.getByText('Grinding').count()).toBe(1);
});

test('[APP-607] a map that is made right before the page is left is among the maps of the next start', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice();
  await page.addInitScript(neverWriteLater);
  await pair(page, server.link);
  await createMap(page, 'Saw');
  await page.reload();
  await heading(page, 'Saw').waitFor();
  expect(await inPage(page, () => localStorage.getItem('gemba-phone-maps'))).toContain('Saw');
});

/** Keeps the app from writing the maps that it showed last while the page stays. */
function neverWriteLater(): void {
  const set = globalThis.setTimeout;
  const isOfLastShown = (ms: unknown) => ms === 1_000;
  globalThis.setTimeout = ((task: () => void, ms?: number) =>
    isOfLastShown(ms) ? 0 : set(task, ms)) as typeof globalThis.setTimeout;
}

/** Prepares a phone with two maps that shows the second one. The server is down, and the engine cannot open yet. */
async function closedPhone() {
  const server = await appServer(app.folder);
  const { context, page } = await openDevice();
  await pair(page, server.link);
  await createMap(page, 'Saw');
  await page.goBack();
  await createMap(page, 'Press line');
  await status(page, 'All safe on the server').waitFor();
  await keptForOffline(page);
  const noted = (key: string) => inPage(page, (of) => localStorage.getItem(of), key);
  await expect.poll(() => noted('gemba-phone-maps')).toContain('Saw');
  await expect.poll(() => noted('gemba-phone-map')).toContain('Press line');
  await server.kill();
  const other = await context.newPage();
  await other.goto(`${server.url}/icons/icon.svg`);
  await inPage(other, keepEngineClosed);
  await page.goto(server.url);
  return { page, openEngine: () => other.close() };
}

/** Holds the lock that the engine needs to open, until the page is closed. */
function keepEngineClosed(): Promise<void> {
  return new Promise((held) => {
    void navigator.locks.request('gemba:gemba-phone:outbox', () => {
      held();
      return new Promise(() => undefined);
    });
  });
}

test('[APP-94] [APP-124] a watch begins and goes on, offline, while it still reads what it has', async () => {
  const server = await appServer(app.folder);
  const steps = [{ stage_name: 'Load', duration_secs: 40, order: 1, work_type: 'incidental' }];
  await server.rest.send('POST', '/recording/new', { name: 'Saw', steps });
  for (let made = 1; made <= 20; made++) await server.rest.send('POST', '/maps', { name: `Line ${made}` });
  const { page } = await openDevice({ width: 192, height: 192 });
  await pair(page, await server.newLink('wearable'));
  await button(page, 'Saw').waitFor();
  await keptForOffline(page);
  await expect.poll(() => inPage(page, () => localStorage.getItem('gemba-watch-maps'))).toContain('Saw');
  await server.kill();

  await page.addInitScript(readSlowly);
  await page.reload();
  await status(page, 'Loading…').waitFor();
  const maps = page.getByRole('list', { name: 'Maps' }).getByRole('button');
  await expect.poll(async () => (await maps.allInnerTexts())[0]).toBe('Saw');
  await button(page, 'Saw').click();
  await heading(page, 'Saw').waitFor();
  await nextStep(page, 'Load').click();
  await heading(page, 'Load').waitFor();
  await status(page, 'Loading…').waitFor();
  await inPage(page, goOn);
  await status(page, 'Offline · 1 step').waitFor();

  await page.reload();
  await heading(page, 'Load').waitFor();
  await status(page, 'Loading…').waitFor();
  await atWorkersPace(page);
  await button(page, 'Next cycle: Load').click();
  await button(page, 'Undo').waitFor();
  await heading(page, 'Load').waitFor();
  await inPage(page, goOn);
  await button(page, 'Undo').waitFor();
});

interface Held {
  goOn?: () => void;
}

/** Delays reads of pulled records, like a slow disk, until the test calls `goOn`. */
function readSlowly(): void {
  const goingOn = new Promise<void>((resolve) => ((globalThis as Held).goOn = resolve));
  const { getAll } = IDBIndex.prototype;
  IDBIndex.prototype.getAll = function (this: IDBIndex, ...given) {
    const request = getAll.apply(this, given);
    if (!this.objectStore.transaction.db.name.includes('records')) return request;
    const slow = new EventTarget();
    request.addEventListener('success', () => {
      void goingOn.then(() => slow.dispatchEvent(new Event('success')));
    });
    return Object.defineProperty(slow, 'result', { get: () => request.result as unknown }) as typeof request;
  };
}

const goOn = (): void => (globalThis as Held).goOn!();
