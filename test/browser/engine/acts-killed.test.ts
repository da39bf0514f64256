/** A browser that is killed with `kill -9` in the middle of edits, cycles and undos, and two tabs that act at once. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { RunDoc, RunRecord } from '../../../shared/schema/run.ts';
import { actUntilKilled, type KillableDevice } from '../../device/acts-until-killed.ts';
import type { Act, ModelStep } from '../../device/recorder-model.ts';
import type { RestClient } from '../../device/test-server.ts';
import { randomWithPrintedSeed, randomBelow } from '../../random.ts';
import { testMsMax } from '../../timeouts.ts';
import { createBrowserDevice } from '../device.ts';
import { pageVerb } from '../in-page.ts';
import { openTwoTabs } from '../two-tabs.ts';
import { createMap, untilMapShown, syncNow } from '../verbs.ts';

const kills = Number(process.env['GEMBA_ACT_KILLS'] ?? 6);

const perform = pageVerb((mapId: string, act: Act) => window.recorder.performAct(window.gemba, mapId, act));
const shownOn = pageVerb((mapId: string) => window.recorder.shownBy(window.gemba, mapId));
const finishAll = pageVerb((mapId: string) => window.recorder.finishAll(window.gemba, mapId));

test.each([
  ['offline', true],
  ['online', false],
])(
  `[RECORDER-38] every act that a browser acknowledged is there once and in order when it was killed %s, ${kills} times`,
  async (_, outage) => {
    const random = randomWithPrintedSeed();
    const { site, rest, start } = await createBrowserDevice();
    const first = await start();
    const page = await first.tabs.open('a');
    const mapId = await createMap(page, 'Saw');
    await syncNow(page);
    await first.browser.kill();
    site.outage = outage;
    let opened: Page | undefined;
    const open = async (): Promise<KillableDevice> => {
      const { browser, tabs } = await start();
      const tab = await tabs.open('a');
      opened = tab;
      // A database that the browser lost makes the device pull its runs again.
      if (!site.outage) await syncNow(tab);
      return {
        perform: (act) => perform(tab, mapId, act),
        shown: () => shownOn(tab, mapId),
        kill: () => browser.kill(),
      };
    };
    const { last, states } = await actUntilKilled({ open, random, kills });
    site.outage = false;
    await finishAll(opened!, mapId);
    await syncNow(opened!);
    const { runs } = await last.shown();
    await last.kill();
    expect(await runsOnServer(rest, mapId)).toEqual(runs);
    const { finished, under } = states[0]!;
    const cycles = finished.map((cycle) => cycle.under.steps);
    expect(runs).toEqual(under && under.steps.length > 0 ? [...cycles, under.steps] : cycles);
  },
  testMsMax,
);

interface Acting {
  mapId: string;
  tab: string;
  seed: number;
  count: number;
}

/** Acts on the one recording of the device at random, and returns the names that were acknowledged. */
const actAtRandom = pageVerb(async ({ mapId, tab, seed, count }: Acting) => {
  const acknowledged: string[] = [];
  let state = seed;
  const below = (limit: number) => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) % limit;
  for (let number = 0; number < count; number++) {
    const name = `${tab} ${String(number).padStart(4, '0')}`;
    const recording = await window.current(window.gemba.recording$);
    const steps = recording?.steps.length ?? 0;
    const undoMs = below(2) * 60_000;
    const draw = below(16);
    const act: Act = !recording
      ? { kind: 'start' }
      : steps === 0 || draw < 8
        ? { kind: 'step', name, interruption: false }
        : draw < 13
          ? { kind: 'split', index: below(steps), name }
          : draw < 15
            ? { kind: 'cycle', name, undoMs }
            : { kind: 'finish', undoMs };
    const refusal = await window.recorder.performAct(window.gemba, mapId, act).catch((error: Error) => error.message);
    const expected = [
      'recording_ended',
      'recording_under_way',
      'tap_refused',
      'recording_empty',
      `${act.kind} without a recording`,
    ];
    if (refusal === null && 'name' in act) acknowledged.push(act.name);
    else if (refusal !== null && !expected.includes(refusal)) throw new Error(`${act.kind}: ${refusal}`);
  }
  return acknowledged;
});

test('[RECORDER-39] two tabs that act on one recording at once lose and double nothing, in the order of each tab', async () => {
  const random = randomWithPrintedSeed();
  const device = await createBrowserDevice();
  const { a, b } = await openTwoTabs(device);
  const mapId = await createMap(a, 'Saw');
  await untilMapShown(b, mapId, { name: 'Saw' });
  const acting = (page: Page, tab: string) =>
    actAtRandom(page, { mapId, tab, seed: randomBelow(random, 2 ** 30), count: 150 });
  const acknowledged = (await Promise.all([acting(a, 'a'), acting(b, 'b')])).flat();
  expect(acknowledged.length).toBeGreaterThan(100);
  await finishAll(b, mapId);
  await syncNow(b);
  await syncNow(a);
  const runs = await runsOnServer(device.rest, mapId);
  expect(runs.flatMap((steps) => steps.map(([name]) => name)).toSorted()).toEqual(acknowledged.toSorted());
  expect((await shownOn(a, mapId)).runs).toEqual(runs);
});

const recordingShown = pageVerb((steps: number) =>
  window.eventually(window.gemba.recording$, (recording) => recording?.steps.length === steps).then(() => undefined),
);

const stepAndUndo = pageVerb(async ({ tab, count }: Pick<Acting, 'tab' | 'count'>) => {
  let taken = 0;
  for (let number = 0; number < count; number++) {
    const recording = (await window.current(window.gemba.recording$))!;
    const isUndo = number % 3 === 2;
    const act = isUndo ? recording.undo() : recording.step({ stage_name: `${tab} ${String(number).padStart(4, '0')}` });
    await act.then(
      () => (taken += isUndo ? -1 : 1),
      (error: Error) => {
        if (error.message !== 'There is nothing to undo.') throw error;
      },
    );
  }
  return taken;
});

test('[RECORDER-39] steps and undos of two tabs at once each count once', async () => {
  const device = await createBrowserDevice();
  const { a, b } = await openTwoTabs(device);
  const mapId = await createMap(a, 'Saw');
  await untilMapShown(b, mapId, { name: 'Saw' });
  await perform(a, mapId, { kind: 'start' });
  await perform(a, mapId, { kind: 'step', name: '0', interruption: false });
  await recordingShown(b, 1);
  const taken = await Promise.all([stepAndUndo(a, { tab: 'a', count: 90 }), stepAndUndo(b, { tab: 'b', count: 90 })]);
  const { under } = await shownOn(a, mapId);
  const names = under!.steps.map(([name]) => name);
  expect(names).toHaveLength(1 + taken[0] + taken[1]);
  for (const tab of ['a', 'b']) {
    const own = names.filter((name) => name.startsWith(tab));
    expect(own).toEqual([...new Set(own)].toSorted());
  }
  await finishAll(b, mapId);
  await syncNow(a);
  expect((await runsOnServer(device.rest, mapId)).map((steps) => steps.map(([name]) => name))).toEqual([names]);
});

const runsShown = pageVerb((mapId: string, count: number) =>
  window.eventually(window.gemba.runs$(mapId), (runs) => runs.length === count).then(() => undefined),
);

test('[RECORDER-36] a tab that opens leaves another its time for the undo, and uploads in time when that one dies', async () => {
  const device = await createBrowserDevice();
  const { tabs } = await device.start();
  const a = await tabs.open('a');
  const mapId = await createMap(a, 'Saw');
  const acts: Act[] = [{ kind: 'start' }, { kind: 'step', name: 'Cut', interruption: false }];
  for (const act of acts) expect(await perform(a, mapId, act)).toBeNull();
  expect(await perform(a, mapId, { kind: 'finish', undoMs: 60_000 })).toBeNull();
  const b = await tabs.open('b');
  await syncNow(b);
  expect(await shownOn(b, mapId)).toEqual({ runs: [], under: null });
  expect(await perform(a, mapId, { kind: 'unfinish' })).toBeNull();
  await recordingShown(b, 1);

  expect(await perform(a, mapId, { kind: 'finish', undoMs: 3_000 })).toBeNull();
  await tabs.crash(a);
  await runsShown(b, mapId, 1);
  await syncNow(b);
  expect(await runsOnServer(device.rest, mapId)).toEqual([[['Cut', '']]]);
});

async function runsOnServer(rest: RestClient, mapId: string): Promise<ModelStep[][]> {
  const runs = await rest.list<RunRecord>(`/maps/${mapId}/runs`);
  const docs = await Promise.all(runs.toReversed().map(({ id }) => rest.get<RunDoc>(`/runs/${id}`)));
  return docs.map(({ steps }) => steps.map(({ stage_name, notes }): ModelStep => [stage_name, notes]));
}
