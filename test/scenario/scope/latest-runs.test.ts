/** The latest runs of a map on a device that holds a part of its runs. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { runScope, type LatestRuns, type ScopedGemba } from '../../../client/client.ts';
import type { RunRecord } from '../../../shared/schema/run.ts';
import { current, device, eventually, json, manualSync, network } from '../../device/devices.ts';
import { restClient, testServer, type TestServer } from '../../device/test-server.ts';
import { randomBelow, randomWithPrintedSeed } from '../../random.ts';
import { numbersShown } from '../sync/scoped-device.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

interface SetUp {
  /** The day in November on which each run began. */
  days: readonly number[];
  /** How many runs the device holds. */
  runsMax: number;
  /** Tells whether a run does not count, by its index. */
  isExcluded?: (index: number) => boolean;
}

async function phoneWithRuns({ days, runsMax, isExcluded = () => false }: SetUp) {
  const net = network();
  const token = await server.newAccount();
  const rest = restClient(server.url, token);
  const { body: map } = await rest.send<{ id: string }>('POST', '/maps', { name: 'Press line' });
  const record = async (day: number) => {
    const steps = [{ stage_name: 'Press', order: 1, duration_secs: 10 + (day % 7) }];
    const sent = { started_at: `2026-11-${String(day).padStart(2, '0')}T09:00:00.000Z`, steps };
    return (await rest.send<{ run: RunRecord }>('POST', `/maps/${map.id}/recording`, sent)).body.run.id;
  };
  const ids: number[] = [];
  for (const day of days) ids.push(await record(day));
  for (const id of ids.filter((_, index) => isExcluded(index))) {
    await rest.send('PATCH', `/runs/${id}`, { excluded: { reason: 'A fire alarm' } });
  }
  const requested: string[] = [];
  net.answers(`maps/${map.id}/runs`, (ask, { query }) => {
    requested.push(String(query));
    return ask();
  });
  const open = async (max: number) => {
    const options = { name: `device-${randomUUID()}`, url: server.url, token, ...manualSync(net) };
    const gemba = (await device({ ...options, scope: runScope({ runsMax: max }) })) as ScopedGemba;
    await gemba.sync();
    return gemba;
  };
  const phone = await open(runsMax);
  return { phone, net, rest, mapId: map.id, ids, record, open, requested };
}

const whenAsked = ({ state }: LatestRuns) => state !== 'loading';

const latestOf = (phone: ScopedGemba, mapId: string, runsMax: number): Promise<LatestRuns> =>
  eventually(phone.latestRuns$(mapId, runsMax), whenAsked);

const numbersOf = ({ runs }: Pick<LatestRuns, 'runs'>) => runs.map(({ number }) => number);

/** Collects what the device shows. */
function watch(phone: ScopedGemba, mapId: string, runsMax: number) {
  const shown: LatestRuns[] = [];
  const latest$ = phone.latestRuns$(mapId, runsMax);
  const subscription = latest$.subscribe((latest) => shown.push(latest));
  onTestFinished(() => subscription.unsubscribe());
  const settled = async () => {
    await expect.poll(() => shown.at(-1)?.state).toBe('complete');
  };
  return { shown, settled, last: () => numbersOf(shown.at(-1)!) };
}

test('[SCOPE-31] the latest runs are those of a device that holds all runs, which stores none of them', async () => {
  const random = randomWithPrintedSeed();
  const days = Array.from({ length: 30 }, () => 1 + randomBelow(random, 28));
  const { phone, mapId, open } = await phoneWithRuns({ days, runsMax: 6, isExcluded: () => random() < 0.2 });
  const whole = await open(50);
  for (const runsMax of [2, 5, 12, 29, 100]) {
    const [part, all] = [await latestOf(phone, mapId, runsMax), await latestOf(whole, mapId, runsMax)];
    expect(all).toMatchObject({ state: 'complete', missing: 0, fromServer: 0 });
    expect(part.chart).toEqual(all.chart);
    expect(part).toMatchObject({ state: 'complete', missing: 24 });
    expect([runsMax, part.runs]).toEqual([runsMax, all.runs]);
  }
  expect(await numbersShown(phone, mapId)).toHaveLength(6);
});

test('[SCOPE-31] a device that holds the latest runs gets those alone from the server that began later', async () => {
  const { phone, mapId, requested, net } = await phoneWithRuns({ days: [1, 20, 2, 3, 10, 11, 12], runsMax: 3 });
  const sizes: number[] = [];
  net.answers(`maps/${mapId}/runs`, async (ask, { query }) => {
    requested.push(String(query));
    const page = (await (await ask()).json()) as { data: unknown[] };
    sizes.push(page.data.length);
    return json(page);
  });
  const latest = await latestOf(phone, mapId, 3);
  expect(numbersOf(latest)).toEqual([6, 7, 2]);
  expect(latest).toMatchObject({ fromServer: 1, missing: 4 });
  expect(requested).toEqual(['excluded=false&limit=200&from=2026-11-10T09%3A00%3A00.000Z']);
  expect(sizes).toEqual([4]);
});

test('[SCOPE-32] a run that is loaded, excluded, corrected or deleted counts as the device has it, and once', async () => {
  const { phone, mapId, ids, net, rest } = await phoneWithRuns({ days: [1, 2, 3, 4, 5], runsMax: 2 });
  const { shown, settled, last } = watch(phone, mapId, 100);
  await settled();
  expect(last()).toEqual([1, 2, 3, 4, 5]);
  await phone.loadRuns(mapId, [ids[0]!]);
  await settled();
  expect(shown.at(-1)).toMatchObject({ fromServer: 2, missing: 2 });
  // The device alone knows of these two changes.
  await phone.updateRun(ids[0]!, { excluded: { reason: 'A fire alarm' } });
  await phone.deleteRun(ids[1]!);
  await settled();
  expect(last()).toEqual([3, 4, 5]);
  // The server applies them, and the device has not pulled.
  net.answers('sync/pull', () => Promise.reject(new TypeError('no network')));
  await phone.sync();
  expect((await rest.list<RunRecord>(`/maps/${mapId}/runs`)).map(({ id }) => id)).not.toContain(ids[1]);
  expect(numbersOf(await latestOf(phone, mapId, 100))).toEqual([3, 4, 5]);
  const steps = [{ stage_name: 'Press', order: 1, duration_secs: 99 }];
  const { run_id } = await phone.importRecording({ mapId, recording: { recording_session_id: randomUUID(), steps } });
  await settled();
  expect(last()).toEqual([3, 4, 5, 6]);
  await phone.sync();
  expect(numbersOf(await latestOf(phone, mapId, 100))).toEqual([3, 4, 5, 6]);
  await phone.deleteRun(run_id);
  expect(numbersOf(await latestOf(phone, mapId, 100))).toEqual([3, 4, 5]);
  net.answers('sync/pull', (ask) => ask());
  await rest.send('POST', `/runs/${ids[2]}/correct`, { steps });
  await phone.sync();
  await settled();
  expect(last()).toEqual([3, 4, 5]);
  expect(shown.at(-1)?.runs[0]?.total_time_secs).toBe(99);
  for (const latest of shown) expect(new Set(numbersOf(latest)).size).toBe(latest.runs.length);
});

test('[SCOPE-33] a run that was deleted elsewhere leaves with the pull, and an earlier one comes in for it', async () => {
  const { phone, mapId, ids, rest, requested } = await phoneWithRuns({ days: [1, 2, 3, 4, 5, 6], runsMax: 3 });
  const { settled, last } = watch(phone, mapId, 4);
  await settled();
  expect(last()).toEqual([3, 4, 5, 6]);
  await rest.send('POST', `/runs/${ids[2]}/delete`, {});
  await phone.sync();
  await expect.poll(last).toEqual([2, 4, 5, 6]);
  const before = requested.length;
  await phone.updateRun(ids[5]!, { excluded: { reason: 'A fire alarm' } });
  await expect.poll(last).toEqual([1, 2, 4, 5]);
  expect(requested.length).toBeGreaterThan(before);
});

test('[SCOPE-34] without the server it has the runs of the device and says so', async () => {
  const { phone, mapId, net } = await phoneWithRuns({ days: [1, 2, 3, 4, 5], runsMax: 2 });
  net.online = false;
  const latest = await latestOf(phone, mapId, 100);
  expect(numbersOf(latest)).toEqual([4, 5]);
  expect(latest).toMatchObject({ state: 'partial', missing: 3, fromServer: 0 });
  net.online = true;
  for (const strange of [{}, { data: [{ id: 1 }], next_cursor: null }]) {
    net.answers(`maps/${mapId}/runs`, () => json(strange));
    expect(await latestOf(phone, mapId, 100)).toMatchObject({ state: 'partial' });
  }
  net.answers(`maps/${mapId}/runs`, (ask) => ask());
  expect(numbersOf(await latestOf(phone, mapId, 100))).toEqual([1, 2, 3, 4, 5]);
  expect(await current(phone.status$)).toMatchObject({ attention: 0 });
});
