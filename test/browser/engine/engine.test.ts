import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { FullMap, MapRecord } from '../../../shared/schema/map.ts';
import type { RunDoc, RunRecord } from '../../../shared/schema/run.ts';
import { createBrowserDevice, buildEngineBundle } from '../device.ts';
import { inPage, pageVerb } from '../in-page.ts';
import { untilServerHasCustody } from '../verbs.ts';

beforeAll(async () => {
  const { gzipBytes } = await buildEngineBundle();
  console.log(`The engine in a browser: ${(gzipBytes / 1000).toFixed(1)} kB gzip.`);
});

test('[BROWSER-1] a recording made offline survives a reload in its middle and stands on the server once after going online', async () => {
  const { site, rest, start } = await createBrowserDevice();
  const { browser, tabs } = await start();
  const page = await tabs.open('a');
  await browser.context.setOffline(true);
  const session = await beginOffline(page);
  const sentOnline = site.calls.length;

  await tabs.reload(page);
  expect(await recordingShown(page)).toEqual({ session, steps: [['Load', 'blank bent']] });
  const { finished, map: mapOffline } = await pressAndFinish(page);
  expect(finished.recording_session_id).toBe(session);
  expect(await recordingShown(page)).toBeNull();
  expect(mapOffline).toMatchObject({ name: 'Press line', run_count: 1, pending: true });
  expect(site.calls).toHaveLength(sentOnline);

  await browser.context.setOffline(false);
  await untilServerHasCustody(page, session);
  const { map_id, run_id } = finished;
  expect((await rest.list<MapRecord>('/maps')).map(({ id }) => id)).toEqual([map_id]);
  expect((await rest.list<RunRecord>(`/maps/${map_id}/runs`)).map(({ id }) => id)).toEqual([run_id]);
  const run = await rest.get<RunDoc>(`/runs/${run_id}`);
  expect(run).toMatchObject({
    recording_session_id: session,
    steps: [{ stage_name: 'Load' }, { stage_name: 'Press' }],
  });
  const map = await rest.get<FullMap>(`/maps/${map_id}`);
  expect(map.stages.map(({ id }) => id)).toEqual(mapOffline?.stages.map(({ id }) => id));
  expect(await settledRecords(page, map_id, run_id)).toEqual([
    { ...map, pending: false },
    { ...run, pending: false },
  ]);
});

const beginOffline = pageVerb(async () => {
  await window.eventually(window.gemba.status$, ({ phase }) => phase === 'offline');
  const recording = await window.gemba.startRecording({ newMap: { name: 'Press line' } });
  await recording.step({ stage_name: 'Load', work_type: 'incidental' });
  await recording.note('blank bent');
  return recording.recording_session_id;
});

const recordingShown = pageVerb(async () => {
  const recording = await window.current(window.gemba.recording$);
  if (!recording) return null;
  const steps = recording.steps.map(({ stage_name, notes }) => [stage_name, notes]);
  return { session: recording.recording_session_id, steps };
});

const pressAndFinish = pageVerb(async () => {
  const recording = (await window.current(window.gemba.recording$))!;
  await recording.step({ stage_name: 'Press', work_type: 'valuable' });
  const finished = await recording.finish();
  return { finished, map: await window.current(window.gemba.map$(finished.map_id)) };
});

const settledRecords = pageVerb(async (mapId: string, runId: number) => [
  await window.eventually(window.gemba.map$(mapId), (map) => map?.pending === false),
  await window.current(window.gemba.run$(runId)),
]);

test('[BROWSER-4] every write asks the browser for strict durability', async () => {
  const { start } = await createBrowserDevice();
  const { browser, tabs } = await start();
  await browser.context.addInitScript(collectDurabilities);
  const page = await tabs.open('a');
  const session = await createRecordedMap(page);
  await untilServerHasCustody(page, session);
  const durabilities = await collectedDurabilities(page);
  expect(durabilities.length).toBeGreaterThan(4);
  expect(new Set(durabilities)).toEqual(new Set(['strict']));
});

declare global {
  interface Window {
    /** The durability of each writing transaction. */
    durabilities: string[];
  }
}

function collectDurabilities(): void {
  window.durabilities = [];
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = function (...args) {
    const made = transaction.apply(this, args);
    if (made.mode === 'readwrite') window.durabilities.push(made.durability);
    return made;
  };
}

const collectedDurabilities = (page: Page): Promise<string[]> => inPage(page, () => window.durabilities);

const createRecordedMap = pageVerb(async () => {
  const recording = await window.gemba.startRecording({ newMap: { name: 'Saw' } });
  await recording.step({ stage_name: 'Cut' });
  return (await recording.finish()).recording_session_id;
});
