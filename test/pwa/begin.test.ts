/** The app from its opening until it has read all that the device has. A real server process, a real Chromium. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inPage } from '../browser/in-page.ts';
import { appServer } from './app-server.ts';
import { buildApp, type BuiltApp } from './build.ts';
import { keptForOffline, openDevice, pair } from './devices.ts';
import { button, createMap, heading, status } from './seen.ts';

let app: BuiltApp;
beforeAll(async () => {
  app = await buildApp();
});
afterAll(() => app.remove());

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
  await status(page, 'Opening').waitFor();
  await inPage(page, goOn);
  await status(page, 'Offline').waitFor();

  await page.reload();
  await heading(page, 'Step 1').waitFor();
  await button(page, 'Next step').click();
  await heading(page, 'Step 2').waitFor();
  await status(page, 'Opening').waitFor();
  await inPage(page, goOn);
  await status(page, 'Offline').waitFor();
  expect(await heading(page, 'Step 2').count()).toBe(1);
});

interface Held {
  goOn?: () => void;
}

/** What was pulled is read as if from a disk that takes its time, until the page is told to go on. */
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
