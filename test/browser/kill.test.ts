/**
 * Taps on a browser that is killed with `kill -9`, at the moment when a tap was acknowledged, and opened again.
 *
 * Each kill has a folder of its own, because Chromium 143 itself loses data when one is opened twice after a kill: a kill
 * can tear the last record of IndexedDB's log; the next browser goes on writing behind the torn end; the one after that
 * finds the log corrupt and deletes the whole database of the origin (https://github.com/google/leveldb/issues/1287).
 * GEMBA_BROWSER_KILLS_PER_FOLDER=10 shows it in about one of ten runs.
 */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { RunDoc, RunRecord } from '../../shared/schema/run.ts';
import { chanceOf, givenSeed, upTo, type Chance } from '../simulation/seed.ts';
import type { Browser } from './browser.ts';
import { browserDevice, type BrowserDevice } from './device.ts';
import { pageVerb } from './in-page.ts';
import { createMap, idle } from './verbs.ts';

const kills = Number(process.env['GEMBA_BROWSER_KILLS'] ?? 10);
const killsPerFolder = Number(process.env['GEMBA_BROWSER_KILLS_PER_FOLDER'] ?? 1);
const acknowledgedBeforeKillMax = 40;
const killMsMax = 15_000;

test(
  `[BROWSER-3] every tap that was acknowledged is there when the browser was killed and is opened again, ${kills} times`,
  async () => {
    const seed = givenSeed ?? Math.floor(Math.random() * 2 ** 32);
    console.log(`GEMBA_SEED=${seed}`);
    const chance = chanceOf(seed);
    for (let left = kills; left > 0; left -= killsPerFolder) {
      await expectTapsToSurvive(await browserDevice(), Math.min(left, killsPerFolder), chance);
    }
  },
  60_000 + kills * killMsMax,
);

/** Kills the browser of one device so many times, one after the other. */
async function expectTapsToSurvive({ rest, start }: BrowserDevice, rounds: number, chance: Chance): Promise<void> {
  const acknowledged: string[] = [];
  let mapId = '';
  for (let round = 0; round < rounds; round++) {
    const { browser, tabs } = await start();
    const page = await tabs.open('a');
    if (round === 0) mapId = await createMap(page, 'Saw');
    else expectKept(await tapsKept(page, mapId), acknowledged);
    const untilKill = 1 + upTo(chance, acknowledgedBeforeKillMax);
    acknowledged.push(...(await tapUntilKilled({ page, browser, mapId, round, untilKill })));
  }

  const { browser, tabs } = await start();
  const page = await tabs.open('a');
  expectKept(await tapsKept(page, mapId), acknowledged);
  await finishUnderWay(page);
  const kept = await tapsKept(page, mapId);
  expectKept(kept, acknowledged);
  await idle(page);
  const runs = await rest.list<RunRecord>(`/maps/${mapId}/runs`);
  const held = await Promise.all(runs.toReversed().map(({ id }) => rest.get<RunDoc>(`/runs/${id}`)));
  expect(held.flatMap(({ steps }) => steps.map(({ stage_name }) => stage_name))).toEqual(kept);
  await browser.kill();
}

/** The acknowledged ones are among those kept; those are in the order in which they were made, each once. */
function expectKept(kept: string[], acknowledged: string[]): void {
  expect(kept).toEqual([...new Set(kept)].toSorted());
  expect(acknowledged.filter((tap) => !kept.includes(tap))).toEqual([]);
}

interface TappingOptions {
  page: Page;
  browser: Browser;
  mapId: string;
  round: number;
  untilKill: number;
}

/** Taps on and on; kills the browser when it has acknowledged so many taps, while the next are under way. */
async function tapUntilKilled({ page, browser, mapId, round, untilKill }: TappingOptions): Promise<string[]> {
  const acknowledged: string[] = [];
  const killed = new Promise<void>((resolve, reject) => {
    const acknowledge = (tap: string) => {
      if (acknowledged.push(tap) === untilKill) browser.kill().then(resolve, reject);
    };
    page
      .exposeFunction('acknowledge', acknowledge)
      .then(() => tapOn(page, mapId, round))
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

/** Never waits for the acknowledgement to be heard, so that the kill falls into writes. */
const tapOn = pageVerb(async (mapId: string, round: number) => {
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

/** All taps that the device has, in their order: those of its runs and those of the recording under way. */
const tapsKept = pageVerb(async (mapId: string) => {
  const taps: string[] = [];
  for (const { id } of (await window.current(window.gemba.runs$(mapId))).toReversed()) {
    const run = (await window.current(window.gemba.run$(id)))!;
    taps.push(...run.steps.map(({ stage_name }) => stage_name));
  }
  const recording = await window.current(window.gemba.recording$);
  return [...taps, ...(recording?.steps ?? []).map(({ stage_name }) => stage_name)];
});
