/** Background Sync. Real server process, real Chromium. */
import { expect, test } from 'vitest';
import type { MapRecord } from '../../../../shared/schema/map.ts';
import { inPage } from '../../in-page.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { keptForOffline, openDevice, pair } from '../devices.ts';
import { createMap, status } from '../locators.ts';

const app = builtApp();

test('[APP-74] Background Sync wakes the app, which sends what waits', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice();
  await page.addInitScript(noteSyncs);
  await pair(page, server.link);
  await keptForOffline(page);
  await status(page, 'All safe on the server').waitFor();
  const session = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      for (const { registrationId } of registrations) resolve(registrationId);
    }),
  );
  await session.send('ServiceWorker.enable');
  await inPage(page, loseNetwork);
  await createMap(page, 'Press line');
  await status(page, 'Offline · 1 change to upload').waitFor();
  await expect.poll(() => inPage(page, () => document.documentElement.dataset['syncs'])).toBe('unsent');
  const registrationId = await registered;
  await session.send('ServiceWorker.dispatchSyncEvent', {
    origin: server.url,
    registrationId,
    tag: 'unsent',
    lastChance: false,
  });
  await status(page, 'All safe on the server').waitFor();
  expect(await server.rest.list<MapRecord>('/maps')).toMatchObject([{ name: 'Press line' }]);
});

/** Makes the page believe that it is offline and miss the event `online`, like a suspended page. */
function loseNetwork(): void {
  Object.defineProperty(navigator, 'onLine', { value: false });
  dispatchEvent(new Event('offline'));
}

/** Notes the registrations for Background Sync, which a headless browser does not support. */
function noteSyncs(): void {
  const { SyncManager } = window as unknown as { SyncManager: { prototype: { register(tag: string): Promise<void> } } };
  SyncManager.prototype.register = (tag) => {
    document.documentElement.dataset['syncs'] = tag;
    return Promise.resolve();
  };
}
