/** Browsers that delete the storage of an origin, made to do so through the debugger. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { restoreId } from '../../../shared/brief/short-texts.ts';
import type { RunDoc, RunRecord } from '../../../shared/schema/run.ts';
import type { Browser } from '../browser.ts';
import { createBrowserDevice } from '../device.ts';
import { inPage, pageVerb } from '../in-page.ts';
import { createMap, untilIdle, syncNow } from '../verbs.ts';

test('[STORAGE-1] what was not yet on the server is put back when the browser dropped its IndexedDB', async () => {
  const { site, rest, start } = await createBrowserDevice();
  const { browser, tabs } = await start();
  const page = await tabs.open('a');
  const mapId = await createMap(page, 'Saw');
  await recordRun(page, mapId, 'first');
  await untilIdle(page);
  site.outage = true;
  await recordRun(page, mapId, 'second');
  await tap(page, mapId, 'third');
  expect(await secondCopy(page)).toBe('kept');
  await page.close();
  await dropDatabases(browser, site.url);

  const again = await tabs.open('a');
  expect(await secondCopy(again)).toBe('kept');
  expect(await tapsUnderWay(again)).toEqual(['third 0', 'third 1']);
  await finishRecording(again);
  site.outage = false;
  await syncNow(again);
  await untilIdle(again);
  const runs = await rest.list<RunRecord>(`/maps/${mapId}/runs`);
  const held = await Promise.all(runs.toReversed().map(({ id }) => rest.get<RunDoc>(`/runs/${id}`)));
  expect(held.map(({ steps }) => steps[0]?.stage_name)).toEqual(['first 0', 'second 0', 'third 0']);
  // Restored mutations keep their client id and numbers, so that the server applies them once.
  const pushes = site.calls.filter(({ what }) => what.endsWith('/push'));
  const clientsOf = (step: string) => new Set(pushes.filter(({ body }) => body.includes(step)).map(clientOf));
  expect(clientsOf('second 0')).toEqual(clientsOf('first 0'));
});

/** A push of recordings may be a list, whose fourth value is the client id in short. */
function clientOf({ body }: { body: string }): string {
  const push = JSON.parse(body) as { client_id: string } | unknown[];
  return Array.isArray(push) ? restoreId(push[3]) : push.client_id;
}

/** Deletes IndexedDB alone, as a person or the browser may. */
async function dropDatabases({ context }: Browser, origin: string): Promise<void> {
  const debuggee = await context.newPage();
  const session = await context.newCDPSession(debuggee);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
  await debuggee.goto(`${origin}/?tab=debuggee`);
  expect(await databaseCount(debuggee)).toBe(0);
  await debuggee.close();
}

const databaseCount = pageVerb(async () => (await indexedDB.databases()).length);

const tap = pageVerb(async (mapId: string, name: string) => {
  const recording = await window.gemba.startRecording({ mapId });
  await recording.step({ stage_name: `${name} 0` });
  await recording.step({ stage_name: `${name} 1` });
});

const finishRecording = pageVerb(async () => {
  await (await window.current(window.gemba.recording$))!.finish();
});

async function recordRun(page: Page, mapId: string, name: string): Promise<void> {
  await tap(page, mapId, name);
  await finishRecording(page);
}

const tapsUnderWay = pageVerb(async () =>
  (await window.current(window.gemba.recording$))?.steps.map(({ stage_name }) => stage_name),
);

const secondCopy = pageVerb(async () => (await window.current(window.gemba.status$)).second_copy);

test('[STORAGE-7] tabs that write at the same time have one second copy, with all that they wrote', async () => {
  const { site, start } = await createBrowserDevice();
  site.outage = true;
  const { browser, tabs } = await start();
  const [a, b] = [await tabs.open('a'), await tabs.open('b')];
  const names = (tab: string) => Array.from({ length: 20 }, (_, index) => `${tab} ${index}`);
  await Promise.all([createMaps(a, names('a')), createMaps(b, names('b'))]);
  await a.close();
  await createMaps(b, ['last']);
  expect(await secondCopy(b)).toBe('kept');
  await b.close();
  await dropDatabases(browser, site.url);

  const again = await tabs.open('a');
  expect(await mapNames(again)).toEqual([...names('a'), ...names('b'), 'last'].toSorted());
});

/** Makes the maps without a pause in between, in which another tab could become the leader. */
const createMaps = pageVerb(async (names: string[]) => {
  for (const name of names) await window.gemba.createMap({ name });
});

const mapNames = pageVerb(async () => (await window.current(window.gemba.maps$)).map(({ name }) => name).toSorted());

for (const [how, take] of Object.entries({
  'clears the data of the site': dropDatabases,
  'lets another page delete them': deleteDatabases,
})) {
  test(`[STORAGE-8] [STORAGE-57] when the browser ${how} under an open engine, that is told, verbs refuse in words, and opening again finds everything`, async () => {
    const { site, start } = await createBrowserDevice();
    site.outage = true;
    const { browser, tabs } = await start();
    const page = await tabs.open('a');
    const mapId = await createMap(page, 'Saw');
    await tap(page, mapId, 'first');
    const refusals = collectRefusals(page);
    await take(browser, site.url);
    expect(new Set(await refusals)).toEqual(new Set(['storage_lost']));
    expect(await statusShown(page)).toMatchObject({ phase: 'blocked', error: { code: 'storage_lost' } });
    const acknowledged = await stepsAcknowledged(page);
    await page.close();

    const again = await tabs.open('a');
    const kept = await tapsUnderWay(again);
    expect(acknowledged.filter((name) => !kept?.includes(name))).toEqual([]);
    expect(await mapNames(again)).toEqual(['Saw']);
  });
}

async function deleteDatabases({ context }: Browser, origin: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${origin}/?tab=other`);
  await inPage(page, async () => {
    for (const { name } of await indexedDB.databases()) {
      await new Promise<void>((resolve, reject) => {
        const request = indexedDB.deleteDatabase(name!);
        request.addEventListener('success', () => resolve());
        request.addEventListener('error', () => reject(request.error as Error));
      });
    }
  });
  await page.close();
}

declare global {
  interface Window {
    acknowledged: string[];
  }
}

/** Taps and changes maps until each verb is refused; returns the codes of the refusals. */
const collectRefusals = pageVerb(async () => {
  const recording = (await window.current(window.gemba.recording$))!;
  window.acknowledged = [];
  const codes: string[] = [];
  const refusal = (error: { code?: string }) => void codes.push(error.code ?? String(error));
  for (let step = 0; codes.length < 6; step++) {
    const stage_name = `under way ${step}`;
    await recording.step({ stage_name }).then(() => window.acknowledged.push(stage_name), refusal);
    if (codes.length > 0) await window.gemba.createMap({ name: 'Late' }).then(() => codes.push('taken'), refusal);
  }
  return codes;
});

const stepsAcknowledged = pageVerb(() => window.acknowledged);

const statusShown = pageVerb(() => window.current(window.gemba.status$));
