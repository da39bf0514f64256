/** Browsers with little room, and persistent storage. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { spaceTestValidMs } from '../../../client/storage/journal/journal.ts';
import { reservedSpaceBytes } from '../../../client/storage/quota.ts';
import { createBrowserDevice } from '../device.ts';
import { inPage, pageVerb } from '../in-page.ts';
import { createMap, fire, untilServerHasCustody, untilIdle } from '../verbs.ts';

const mebibyte = 1024 * 1024;

/** Chromium 143 reports the quota that it grants, and Chromium 156 always reports 10 GiB. */
const reports = ['as this browser does', 'as 10 GiB'] as const;

test.each(reports)(
  '[STORAGE-9] [STORAGE-64] [STORAGE-65] [STORAGE-78] with a quota reported %s, when only the reserve is left receipts go, new recordings are refused in words, and the one under way comes to its end',
  async (report) => {
    const { start } = await createBrowserDevice();
    const { browser, tabs } = await start();
    if (report === 'as 10 GiB') await browser.context.addInitScript(reportFixedQuota);
    const page = await tabs.open('a', { manualTimers: true });
    const mapId = await createMap(page, 'Saw');
    for (const name of ['first', 'second', 'third'])
      await untilServerHasCustody(page, await recordRun(page, mapId, name));
    await untilIdle(page);
    expect(await receiptCount(page)).toBe(3);
    await beginRecording(page, mapId);

    await setFreeQuota(page, reservedSpaceBytes - mebibyte);
    await fire(page, spaceTestValidMs);
    expect(await importRefusal(page, mapId)).toBe('storage_full');
    expect(await receiptCount(page)).toBe(0);
    expect(await errorShown(page)).toBe('storage_full');
    const session = await finishRecording(page);
    expect(await startRefusal(page, mapId)).toBe('storage_full');

    await setFreeQuota(page, 10 * reservedSpaceBytes);
    expect(await errorShown(page)).toBe('storage_full');
    await fireVisibilityChange(page);
    await expect.poll(() => errorShown(page)).toBeUndefined();
    expect(await startRefusal(page, mapId)).toBe('none');
    await untilServerHasCustody(page, session);
  },
);

test('[STORAGE-10] [STORAGE-66] a tap that finds no room at all is refused in words, and all that were taken stay', async () => {
  const { site, start } = await createBrowserDevice();
  site.outage = true;
  const { browser, tabs } = await start();
  const page = await tabs.open('a');
  const mapId = await createMap(page, 'Saw');
  await beginRecording(page, mapId);
  await browser.kill();

  // A browser keeps the quota that it had when it opened IndexedDB, so the new quota needs a new browser.
  const { browser: full, tabs: fullTabs } = await start();
  const blank = await full.context.newPage();
  await blank.goto(`${site.url}/?tab=blank`);
  await setFreeQuota(blank, 0);
  const again = await fullTabs.open('a');
  const { taken, refused } = await addNotesUntilRefused(again);
  expect(refused).toBe('storage_full');
  expect(await errorShown(again)).toBe('storage_full');
  expect(await notesUnderWay(again)).toBe(taken);
  await full.kill();

  const { tabs: roomyTabs } = await start();
  const roomy = await roomyTabs.open('a');
  expect(await notesUnderWay(roomy)).toBe(taken);
  await finishRecording(roomy);
});

test('[STORAGE-11] the browser is asked for persistent storage once there is unsent work, and once', async () => {
  const { start } = await createBrowserDevice();
  const { browser, tabs } = await start();
  await browser.context.addInitScript(countPersistRequests);
  const page = await tabs.open('a');
  expect(await persistRequestCount(page)).toBe(0);
  const mapId = await createMap(page, 'Saw');
  await beginRecording(page, mapId);
  expect(await persistRequestCount(page)).toBe(1);
});

/** Sets the quota to this many bytes above the current use. */
async function setFreeQuota(page: Page, bytes: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { origin } = new URL(page.url());
  const { usage } = await session.send('Storage.getUsageAndQuota', { origin });
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: usage + bytes });
}

const fireVisibilityChange = pageVerb(() => void document.dispatchEvent(new Event('visibilitychange')));

const beginRecording = pageVerb(async (mapId: string) => {
  await (await window.gemba.startRecording({ mapId })).step({ stage_name: 'load' });
});

const finishRecording = pageVerb(
  async () => (await (await window.current(window.gemba.recording$))!.finish()).recording_session_id,
);

async function recordRun(page: Page, mapId: string, name: string): Promise<string> {
  await beginRecording(page, mapId);
  await inPage(page, async (note) => (await window.current(window.gemba.recording$))!.note(note), name);
  return finishRecording(page);
}

const startRefusal = pageVerb((mapId: string) =>
  window.gemba.startRecording({ mapId }).then(
    () => 'none',
    ({ code }: { code: string }) => code,
  ),
);

const importRefusal = pageVerb((mapId: string) =>
  window.gemba
    .importRecording({ mapId, recording: { steps: [{ stage_name: 'load', order: 1, duration_secs: 1 }] } })
    .then(
      () => 'none',
      ({ code }: { code: string }) => code,
    ),
);

/** Adds large notes until the quota is reached. */
const addNotesUntilRefused = pageVerb(async () => {
  const recording = (await window.current(window.gemba.recording$))!;
  for (let taken = 0; ; taken++) {
    try {
      await recording.step({ stage_name: 'cut', notes: 'x'.repeat(5_000) });
    } catch (error) {
      return { taken, refused: (error as { code?: string }).code ?? String(error) };
    }
  }
});

const notesUnderWay = pageVerb(
  async () => (await window.current(window.gemba.recording$))!.steps.filter(({ notes }) => notes !== '').length,
);

const errorShown = pageVerb(async () => (await window.current(window.gemba.status$)).error?.code);

/** Counts the receipts in IndexedDB. */
const receiptCount = pageVerb(async () => {
  const { name } = (await indexedDB.databases()).find((database) => database.name?.endsWith('outbox'))!;
  const database = await new Promise<IDBDatabase>((resolve) => {
    const opening = indexedDB.open(name!);
    opening.addEventListener('success', () => resolve(opening.result));
  });
  const rows = await new Promise<{ body: { state?: string } | null }[]>((resolve) => {
    const reading = database.transaction('docs').objectStore('docs').getAll();
    reading.addEventListener('success', () => resolve(reading.result));
  });
  database.close();
  return rows.filter(({ body }) => body?.state === 'receipt').length;
});

function reportFixedQuota(): void {
  const { estimate } = StorageManager.prototype;
  StorageManager.prototype.estimate = async function () {
    const { usage = 0 } = await estimate.call(this);
    return { usage, quota: usage + 10 * 1024 ** 3 };
  };
}

declare global {
  interface Window {
    timesAsked: number;
  }
}

function countPersistRequests(): void {
  window.timesAsked = 0;
  const { persist } = StorageManager.prototype;
  StorageManager.prototype.persist = function () {
    window.timesAsked++;
    return persist.call(this);
  };
}

const persistRequestCount = pageVerb(() => window.timesAsked);
