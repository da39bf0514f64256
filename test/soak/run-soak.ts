/** Lets devices work while faults come, and then expects everything on the server and on each device. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { MapDoc } from '../../shared/schema/map.ts';
import type { RunDoc } from '../../shared/schema/run.ts';
import { Api } from '../contract/fixture.ts';
import { pullAll, SyncClient } from '../contract/sync-client.ts';
import { restClient } from '../device/test-server.ts';
import { pickOne, randomBelow, type Random } from '../random.ts';
import { waitMsMax } from '../timeouts.ts';
import { recordingProblems, type DeviceLedger } from './ledger.ts';
import { openLossyProxy, type LossyProxy } from './lossy-proxy.ts';
import { NodeDevice } from './node-device.ts';
import type { Site } from './site.ts';

export interface Soak {
  site: Site;
  random: Random;
  nodeDevices: number;
  /** Ends the faults: after so many, or after so long. */
  until: { faults: number } | { minutes: number };
  /** A device of another kind, which works until the signal and then ends its work. */
  another?: Worker;
}

export interface Worker extends DeviceLedger {
  faults: Record<string, () => Promise<void>>;
  work(ending: AbortSignal): Promise<void>;
  finishAll(): Promise<void>;
  expectSettled(): Promise<void>;
  proxy: LossyProxy;
}

const faultPauseMsMax = 1_500;
const pollMs = 250;

/** Returns a line that counts what happened. */
export async function runSoak({ site, random, nodeDevices, until, another }: Soak): Promise<string> {
  const rest = restClient(site.urls[0]!, site.key);
  const { body: map } = await rest.send<{ id: string }>('POST', '/maps', { name: 'Shared' });
  const devices: NodeDevice[] = [];
  for (let index = 0; index < nodeDevices; index++) {
    const proxy = await openLossyProxy(site.urls[index % site.urls.length]!, random);
    onTestFinished(() => proxy.close());
    devices.push(new NodeDevice({ name: `device ${index}`, mapId: map.id, proxy, token: site.key, random }));
  }
  const workers = [...devices, ...(another ? [another] : [])];
  for (const { proxy } of workers) proxy.isLossy = true;

  const ending = new AbortController();
  const endThenThrow = (error: unknown) => {
    ending.abort();
    throw error;
  };
  const working = Promise.all(workers.map((worker) => worker.work(ending.signal))).catch(endThenThrow);
  // On a busy machine all faults could pass before the first device is open.
  await Promise.race([working, untilEachRecords(devices)]);
  const counts = new Map<string, number>();
  const begunAt = performance.now();
  const goesOn = () => {
    if (ending.signal.aborted) return false;
    const secs = (performance.now() - begunAt) / 1_000;
    return 'minutes' in until ? secs < until.minutes * 60 : total(counts) < until.faults;
  };
  const disturb = async (faults: [string, () => Promise<void>][]) => {
    while (goesOn()) {
      const [name, fault] = pickOne(random, faults);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      await fault();
      await delay(randomBelow(random, faultPauseMsMax));
    }
  };
  const disturbed = Promise.all([
    disturb(Object.entries(site.faults)),
    disturb(workers.flatMap(({ faults }) => Object.entries(faults))),
  ]);
  await Promise.all([working, disturbed.finally(() => ending.abort())]);
  site.expectAlive();
  for (const { proxy } of workers) proxy.isLossy = false;

  const calmAt = performance.now();
  for (const worker of workers) await worker.finishAll();
  await untilSettled(devices);
  await another?.expectSettled();
  const settledSecs = ((performance.now() - calmAt) / 1_000).toFixed(1);

  const { maps, runs } = await pullContent(site);
  expect(recordingProblems(workers, runs)).toEqual([]);
  await untilEqual(devices, { maps, runs });
  for (const device of devices) expect(await device.unsafe()).toEqual([]);
  const broken = workers.reduce((sum, { proxy }) => sum + proxy.broken, 0);
  const faults = [...counts].map(([name, count]) => `${count} × ${name}`).toSorted();
  return `${runs.length} recordings, ${broken} broken connections, ${faults.join(', ')}; settled ${settledSecs} s after the last fault`;
}

async function untilEachRecords(devices: readonly NodeDevice[]): Promise<void> {
  const options = { timeout: waitMsMax, interval: pollMs };
  const isRecording = ({ recordings }: NodeDevice) => recordings.some(({ steps }) => steps > 0);
  await expect.poll(() => devices.every(isRecording), options).toBe(true);
}

const total = (counts: Map<string, number>): number => [...counts.values()].reduce((sum, count) => sum + count, 0);

/** No verb prompts the devices: their own timers drain them. */
async function untilSettled(devices: readonly NodeDevice[]): Promise<void> {
  for (const device of devices) {
    await expect
      .poll(() => device.status(), { timeout: waitMsMax, interval: pollMs })
      .toMatchObject({ phase: 'idle', pending: 0, attention: 0 });
  }
}

interface Content {
  maps: MapDoc[];
  runs: RunDoc[];
}

async function pullContent({ urls, key }: Site): Promise<Content> {
  const { changes } = await pullAll(new SyncClient(new Api({ url: urls[0]!, key, accountId: '' })));
  const docs = <Doc>(kind: string): Doc[] => changes.flatMap((change) => (change.kind === kind ? [change.doc] : []));
  return { maps: docs<MapDoc>('map'), runs: docs<RunDoc>('run') };
}

/** A device reads what another one pushed by an event, or by its next poll. */
async function untilEqual(devices: readonly NodeDevice[], content: Content): Promise<void> {
  const byId = <Doc extends { id: string | number }>(docs: readonly Doc[]) =>
    docs.toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
  const expected = {
    maps: byId(content.maps.map((doc) => ({ ...doc, pending: false }))),
    runs: byId(content.runs.map((doc) => ({ ...doc, pending: false }))),
  };
  for (const device of devices) {
    const read = async () => {
      const shown = await device.shown();
      return { maps: byId(shown.map(({ map }) => map)), runs: byId(shown.flatMap(({ runs }) => runs)) };
    };
    await expect
      .poll(async () => withoutAnalytics(await read()), { timeout: waitMsMax, interval: pollMs })
      .toEqual(expected);
  }
}

/** The device computes the analytics of a map, which the server sends with REST alone. */
function withoutAnalytics<Runs>({ maps, runs }: { maps: { id: string; analytics?: unknown }[]; runs: Runs }) {
  return { maps: maps.map(({ analytics: _analytics, ...map }) => map), runs };
}
