import { appendFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createBrowserDevice } from '../device.ts';
import { pageVerb } from '../in-page.ts';
import { createMap } from '../verbs.ts';

test('[STORAGE-1] what was not yet on the server is put back when a kill tore the log of IndexedDB, which the browser then drops', async () => {
  const { site, folder, start } = await createBrowserDevice();
  site.outage = true;
  const made: string[] = [];
  const live = async (): Promise<{ databases: number; maps: string[] }> => {
    const { browser, tabs } = await start();
    const probe = await browser.context.newPage();
    await probe.goto(site.url);
    const databases = await databaseCount(probe);
    const page = await tabs.open('a');
    const maps = await mapNames(page);
    made.push(`map ${made.length}`);
    await createMap(page, made.at(-1)!);
    await browser.kill();
    return { databases, maps };
  };
  await live();
  await tearLog(folder);
  // The second browser writes behind the torn end.
  expect(await live()).toMatchObject({ maps: ['map 0'] });
  expect(await live()).toEqual({ databases: 0, maps: ['map 0', 'map 1'] });
  expect(await live()).toMatchObject({ maps: ['map 0', 'map 1', 'map 2'] });
});

/** Appends the head of a record of 100 bytes without its body, as a kill between two writes of LevelDB leaves it. */
async function tearLog(folder: string): Promise<void> {
  const databases = join(folder, 'Default/IndexedDB');
  const [origin] = (await readdir(databases)).filter((name) => name.endsWith('.leveldb'));
  const [log] = (await readdir(join(databases, origin!))).filter((name) => name.endsWith('.log'));
  const crc = [0, 0, 0, 0];
  const length = [100, 0];
  const isWhole = 1;
  await appendFile(join(databases, origin!, log!), Uint8Array.from([...crc, ...length, isWhole]));
}

/** Asks twice: Chromium 156 refuses the first question about torn databases, and drops them meanwhile. */
const databaseCount = pageVerb(async () => (await indexedDB.databases().catch(() => indexedDB.databases())).length);

const mapNames = pageVerb(async () => (await window.current(window.gemba.maps$)).map(({ name }) => name).toSorted());
