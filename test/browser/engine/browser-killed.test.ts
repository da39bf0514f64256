/**
 * Taps on a browser that is killed with `kill -9` right after a tap was acknowledged, and started again on the same
 * folder, many times.
 *
 * Chromium 143 itself may lose data in this way: a kill can tear the last record of IndexedDB's log, and the next browser
 * writes behind the torn end. The browser after that finds the log corrupt and deletes all databases of the origin
 * (https://github.com/google/leveldb/issues/1287). The journal then restores the data, and the test prints how often.
 */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { RunDoc, RunRecord } from '../../../shared/schema/run.ts';
import { testMsMax } from '../../timeouts.ts';
import { randomOf, givenSeed, randomBelow, type Random } from '../../random.ts';
import type { Browser } from '../browser.ts';
import { createBrowserDevice } from '../device.ts';
import { pageVerb } from '../in-page.ts';
import { createMap, untilIdle, syncNow } from '../verbs.ts';

const kills = Number(process.env['GEMBA_BROWSER_KILLS'] ?? 12);
const killsPerFolder = Number(process.env['GEMBA_BROWSER_KILLS_PER_FOLDER'] ?? 6);
const acknowledgedBeforeKillMax = 40;
const killMsMax = 15_000;

test(
  `[BROWSER-3] every tap that was acknowledged is there when the browser was killed and is opened again, ${kills} times`,
  async () => {
    const seed = givenSeed ?? Math.floor(Math.random() * 2 ** 32);
    console.log(`GEMBA_SEED=${seed}`);
    const random = randomOf(seed);
    let losses = 0;
    for (let done = 0; done < kills; done += killsPerFolder) {
      const outage = (done / killsPerFolder) % 2 === 0;
      losses += await expectTapsToSurvive({ outage, kills: Math.min(kills - done, killsPerFolder), random });
    }
    console.log(`Of ${kills} kills ${losses} made the browser drop its IndexedDB; each was mended.`);
  },
  testMsMax + kills * killMsMax,
);

interface KillingOptions {
  /** Whether the server is away until the last kill. */
  outage: boolean;
  kills: number;
  random: Random;
}

/** Kills the browser of one device this many times; returns how often IndexedDB was gone afterwards. */
async function expectTapsToSurvive({ outage, kills: rounds, random }: KillingOptions): Promise<number> {
  const { site, rest, start } = await createBrowserDevice();
  const acknowledged: string[] = [];
  let mapId = '';
  let losses = 0;
  for (let round = 0; round < rounds; round++) {
    site.outage = outage;
    const { browser, tabs } = await start();
    if (round > 0 && (await isDatabaseGone(browser, site.url))) losses++;
    const page = await tabs.open('a');
    if (round === 0) mapId = await createMap(page, 'Saw');
    else await expectTapsKept({ page, mapId, acknowledged, outage });
    const untilKill = 1 + randomBelow(random, acknowledgedBeforeKillMax);
    acknowledged.push(...(await tapUntilKilled({ page, browser, mapId, round, untilKill })));
  }

  site.outage = false;
  const { browser, tabs } = await start();
  if (await isDatabaseGone(browser, site.url)) losses++;
  const page = await tabs.open('a');
  await finishUnderWay(page);
  await syncNow(page);
  const kept = await expectTapsKept({ page, mapId, acknowledged, outage: false });
  const runs = await rest.list<RunRecord>(`/maps/${mapId}/runs`);
  const held = await Promise.all(runs.toReversed().map(({ id }) => rest.get<RunDoc>(`/runs/${id}`)));
  expect(held.flatMap(({ steps }) => steps.map(({ stage_name }) => stage_name))).toEqual(kept);
  await browser.kill();
  return losses;
}

/** Checks before the engine opens, which would create the databases again. */
async function isDatabaseGone({ context }: Browser, url: string): Promise<boolean> {
  const page = await context.newPage();
  await page.goto(url);
  const databases = await databaseCount(page);
  await page.close();
  return databases === 0;
}

const databaseCount = pageVerb(async () => (await indexedDB.databases()).length);

interface ExpectedTaps {
  page: Page;
  mapId: string;
  acknowledged: string[];
  outage: boolean;
}

/** All acknowledged taps are kept, and the kept taps are in order, each once. */
async function expectTapsKept({ page, mapId, acknowledged, outage }: ExpectedTaps): Promise<string[]> {
  // A device that lost its database pulls its runs again, so wait for that pull.
  if (!outage) await untilIdle(page);
  const kept = await readKeptTaps(page, mapId);
  expect(kept).toEqual([...new Set(kept)].toSorted());
  expect(acknowledged.filter((tap) => !kept.includes(tap))).toEqual([]);
  return kept;
}

interface TappingOptions {
  page: Page;
  browser: Browser;
  mapId: string;
  round: number;
  untilKill: number;
}

/** Taps until the browser has acknowledged this many taps, and kills it while the next are under way. */
async function tapUntilKilled({ page, browser, mapId, round, untilKill }: TappingOptions): Promise<string[]> {
  const acknowledged: string[] = [];
  const killed = new Promise<void>((resolve, reject) => {
    const acknowledge = (tap: string) => {
      if (acknowledged.push(tap) === untilKill) browser.kill().then(resolve, reject);
    };
    page
      .exposeFunction('acknowledge', acknowledge)
      .then(() => tapUntilStopped(page, mapId, round))
      .catch((error: Error) => {
        if (acknowledged.length < untilKill) reject(error);
      });
  });
  await killed;
  return acknowledged;
}

declare global {
  interface Window {
    acknowledge(tap: string): Promise<void>;
  }
}

/** Does not wait for acknowledgements, so that the kill falls into writes. */
const tapUntilStopped = pageVerb(async (mapId: string, round: number) => {
  const stepsPerRecording = 15;
  const name = (tap: number) => `round ${String(round).padStart(3, '0')} tap ${String(tap).padStart(5, '0')}`;
  for (let tap = 0; ; tap++) {
    let recording = await window.current(window.gemba.recording$);
    if (recording && recording.steps.length >= stepsPerRecording) {
      await recording.finish();
      recording = null;
    }
    recording ??= await window.gemba.startRecording({ mapId });
    await recording.step({ stage_name: name(tap) });
    void window.acknowledge(name(tap));
  }
});

const finishUnderWay = pageVerb(async () => {
  const recording = await window.current(window.gemba.recording$);
  await (recording && (recording.steps.length > 0 ? recording.finish() : recording.discard()));
});

/** All taps on the device in order: those of its runs and of the recording under way. */
const readKeptTaps = pageVerb(async (mapId: string) => {
  const taps: string[] = [];
  for (const { id } of (await window.current(window.gemba.runs$(mapId))).toReversed()) {
    const run = (await window.current(window.gemba.run$(id)))!;
    taps.push(...run.steps.map(({ stage_name }) => stage_name));
  }
  const recording = await window.current(window.gemba.recording$);
  return [...taps, ...(recording?.steps ?? []).map(({ stage_name }) => stage_name)];
});
