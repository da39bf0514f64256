import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FullMap } from '../../../shared/schema/map.ts';
import type { RunDoc, RunRecord } from '../../../shared/schema/run.ts';
import { testServer, restClient, type TestServer } from '../../device/test-server.ts';
import { atRest, current, device, eventually, memoryStorage, network } from '../../device/devices.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

test('[DEVICE-1] [DEVICE-13] what was recorded offline stands on the server once the device is online, each once and under the ids of the device', async () => {
  const token = await server.newAccount();
  const net = network(false);
  const phone = await device({ url: server.url, token, fetch: net.fetch });
  const recording = await phone.startRecording({ newMap: { name: 'Press line' } });
  await recording.step({ stage_name: 'Load', work_type: 'incidental' });
  await recording.note('blank bent');
  await recording.step({ stage_name: 'Press', work_type: 'valuable' });
  const finished = await recording.finish();
  expect(await current(phone.custody$(finished.recording_session_id))).toBe('device');
  expect(await atRest(phone)).toMatchObject({ phase: 'offline', pending: 1 });
  const shownOffline = await current(phone.map$(finished.map_id));
  expect(shownOffline).toMatchObject({ name: 'Press line', run_count: 1, pending: true });

  net.online = true;
  await phone.sync();
  expect(await atRest(phone)).toMatchObject({ phase: 'idle', pending: 0, attention: 0, progress: null });
  expect(await current(phone.custody$(finished.recording_session_id))).toBe('server');

  const rest = restClient(server.url, token);
  const runs = await rest.list<RunRecord>(`/maps/${finished.map_id}/runs`);
  expect(runs.map(({ id }) => id)).toEqual([finished.run_id]);
  const map = await rest.get<FullMap>(`/maps/${finished.map_id}`);
  expect(await current(phone.map$(finished.map_id))).toEqual({ ...map, pending: false });
  expect(map.stages.map(({ id }) => id)).toEqual(shownOffline?.stages.map(({ id }) => id));
  const run = await rest.get<RunDoc>(`/runs/${finished.run_id}`);
  expect(run.steps.map(({ stage_name, notes }) => [stage_name, notes])).toEqual([
    ['Load', 'blank bent'],
    ['Press', ''],
  ]);
  expect(await current(phone.run$(finished.run_id))).toEqual({ ...run, pending: false });
});

test('[DEVICE-2] a change on one device reaches the others by itself', async () => {
  const token = await server.newAccount();
  const phone = await device({ url: server.url, token });
  const tablet = await device({ url: server.url, token });
  const { map_id } = await phone.createMap({ name: 'Paint shop', industry: 'metal' });
  const seen = await eventually(tablet.map$(map_id), (map) => map !== undefined);
  expect(seen).toMatchObject({ name: 'Paint shop', industry: 'metal', pending: false });
  await tablet.updateMap(map_id, { state: 'future' });
  expect(await eventually(phone.map$(map_id), (map) => map?.state === 'future')).toMatchObject({
    version: expect.any(Number),
  });
});

test('[DEVICE-3] a recording under way survives a restart, its clock running', async () => {
  const storage = memoryStorage();
  const options = { name: 'survivor', storage, url: server.url, token: await server.newAccount() };
  let wall = 1_000_000;
  const clock = { wallMs: () => wall, monotonicMs: () => wall, bootId: 'first' };
  const before = await device({ ...options, clock });
  const { map_id } = await before.createMap({ name: 'Saw' });
  const recording = await before.startRecording({ mapId: map_id });
  await recording.step({ stage_name: 'Cut' });
  await before.close();

  wall += 60_000;
  const after = await device({ ...options, clock: { ...clock, bootId: 'second' } });
  const again = await current(after.recording$);
  expect(again).toMatchObject({ recording_session_id: recording.recording_session_id, steps: [{ stage_name: 'Cut' }] });
  await expect(after.startRecording({ mapId: map_id })).rejects.toMatchObject({ code: 'recording_under_way' });
  const { run_id } = await again!.finish();
  expect(await current(after.recording$)).toBeNull();
  expect((await current(after.run$(run_id)))?.steps).toMatchObject([{ duration_secs: 60, duration_estimated: true }]);
});

test('[DEVICE-11] the start of a recording is corrected when the clock of the device is wrong', async () => {
  const wrong = Date.UTC(1970, 0, 2);
  const opened = Date.now();
  const clock = { wallMs: () => wrong + (Date.now() - opened) };
  const phone = await device({ url: server.url, token: await server.newAccount(), clock });
  const recording = await phone.startRecording({ newMap: { name: 'Saw' } });
  await recording.step({ stage_name: 'Cut' });
  const { run_id } = await recording.finish();
  expect((await current(phone.run$(run_id)))?.started_at).toMatch(/^1970/);
  const run = await eventually(phone.run$(run_id), (it) => it?.pending === false);
  expect(run).toMatchObject({ device_started_at: expect.stringMatching(/^1970/) });
  expect(Date.parse(run!.started_at!)).toBeGreaterThan(opened - 60_000);
});

test('[OUTBOX-3] a rejected mutation lets the later ones go on, and is kept with a remedy', async () => {
  const token = await server.newAccount();
  const rest = restClient(server.url, token);
  const net = network();
  const phone = await device({ url: server.url, token, fetch: net.fetch });
  const { map_id } = await phone.createMap({ name: 'Doomed' });
  await phone.sync();
  net.online = false;
  const recording = await phone.startRecording({ mapId: map_id });
  await recording.step({ stage_name: 'Cut' });
  const { run_id, recording_session_id } = await recording.finish();
  const { map_id: later } = await phone.createMap({ name: 'Later' });
  await rest.send('POST', `/maps/${map_id}/delete`);
  net.online = true;
  await phone.sync();

  expect((await rest.get<FullMap>(`/maps/${later}`)).name).toBe('Later');
  const [refused] = await current(phone.attention$);
  expect(refused).toMatchObject({ name: 'upload_recording', error: { code: 'map_deleted' } });
  expect(refused?.remedies).toEqual(['restore_map', 'save_as_new_map', 'discard']);
  expect(await atRest(phone)).toMatchObject({ phase: 'idle', pending: 0, attention: 1 });
  expect(await current(phone.custody$(recording_session_id))).toBe('device');

  await phone.resolve(refused!.seq, 'restore_map');
  await phone.sync();
  expect(await current(phone.attention$)).toEqual([]);
  expect(await rest.get<RunDoc>(`/runs/${run_id}`)).toMatchObject({ map_id, recording_session_id });
});

test('[DEVICE-4] what cannot be is refused at once, with the path of each wrong field, and leaves nothing behind', async () => {
  const phone = await device({ url: server.url, token: await server.newAccount(), fetch: network(false).fetch });
  await expect(phone.createMap({ name: '   ' })).rejects.toMatchObject({
    code: 'validation_failed',
    errors: [{ path: '/name', message: 'must be 1 to 200 characters, of which one can be seen' }],
  });
  await expect(phone.deleteMap('0190a1b2-0000-7000-8000-000000000001')).rejects.toMatchObject({
    code: 'map_not_found',
  });
  const { map_id } = await phone.createMap({ name: 'Saw' });
  await expect(phone.addStage(map_id, { stage: 'Cut', cycle_time_hrs: -1 })).rejects.toMatchObject({
    errors: [{ path: '/cycle_time_hrs' }],
  });
  const { stage_id } = await phone.addStage(map_id, { stage: 'Cut' });
  const twice = await Promise.allSettled([phone.deleteStage(map_id, stage_id), phone.deleteStage(map_id, stage_id)]);
  expect(twice.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(await current(phone.status$)).toMatchObject({ pending: 3 });
});

test('[DEVICE-5] a verb leaves the maps of the device as the server then leaves them', async () => {
  const token = await server.newAccount();
  const rest = restClient(server.url, token);
  const net = network(false);
  const phone = await device({ url: server.url, token, fetch: net.fetch });
  const { map_id } = await phone.createMap({ name: 'Saw' });
  const { stage_id: a } = await phone.addStage(map_id, { stage: 'a', cycle_time_hrs: 1, work_type: 'valuable' });
  const { stage_id: b } = await phone.addStage(map_id, { stage: 'b', wait_time_hrs: 3 });
  const { stage_id: c } = await phone.addStage(map_id, { stage: 'c', order: 1 });
  await phone.updateStage(map_id, b, { order: 1 });
  await phone.reorderStages(map_id, [a, b, c]);
  await phone.deleteStage(map_id, c);
  await phone.deleteMap(map_id);
  expect(await current(phone.maps$)).toEqual([]);
  expect(await current(phone.deletedMaps$)).toMatchObject([{ id: map_id, deleted: true }]);
  await phone.restoreMap(map_id);
  const offline = await current(phone.map$(map_id));
  net.online = true;
  await phone.sync();
  const held = await rest.get<FullMap>(`/maps/${map_id}`);
  const { version: _v, created_version: _cv, created_at: _c, updated_at: _u, ...same } = held;
  expect(offline).toMatchObject(same);
  expect(held.analytics.pce).toBe(0.25);
});

test('[DEVICE-6] [STAT-19] comparing runs on the device gives the figures of the endpoint', async () => {
  const token = await server.newAccount();
  const rest = restClient(server.url, token);
  const phone = await device({ url: server.url, token, fetch: network().fetch });
  const { map_id } = await phone.createMap({ name: 'Saw' });
  const runIds: number[] = [];
  for (const secs of [10, 20, 60]) {
    const steps = [{ stage_name: 'Cut', order: 1, duration_secs: secs }];
    runIds.push((await phone.importRecording({ mapId: map_id, recording: { steps } })).run_id);
  }
  await phone.sync();
  const { status, body } = await rest.send('POST', '/runs/compare', { run_ids: runIds });
  expect(status).toBe(200);
  expect(await phone.compareRuns(runIds)).toEqual(body);
  expect(body).toMatchObject({ stages: [{ stage_name: 'Cut', min_secs: 10, median_secs: 20, avg_secs: 30 }] });
  const ratings = [{ run_id: runIds[0] ?? 0, rating: 1.1 }];
  const study = { confidence: 0.99 as const, precision: 0.1, allowance: 0.12, ratings, takt_secs: 25 };
  const studied = await rest.send('POST', '/runs/compare', { run_ids: runIds, ...study });
  expect(await phone.compareRuns(runIds, study)).toEqual(studied.body);
  expect(studied.body).toMatchObject({ totals: { over_takt: true, sd_secs: Math.sqrt(700) } });
  const stranger = { ratings: [{ run_id: 7, rating: 1 }] };
  await expect(phone.compareRuns(runIds, stranger)).rejects.toMatchObject({
    code: 'validation_failed',
    errors: [{ path: '/ratings/0/run_id', message: 'must be one of run_ids' }],
  });
  await expect(phone.compareRuns([1])).rejects.toMatchObject({ code: 'run_not_found' });
});

test('[RUN-8] [RUN-11] a run is put right offline, and another device sees it after its pull', async () => {
  const token = await server.newAccount();
  const [line, office] = [network(), network()];
  const phone = await device({ url: server.url, token, fetch: line.fetch });
  const { map_id } = await phone.createMap({ name: 'Saw' });
  const steps = [{ stage_name: 'Cut', order: 1, duration_secs: 9 }];
  const recording = { steps, recording_session_id: 'imported' };
  const { run_id } = await phone.importRecording({ mapId: map_id, recording });
  await phone.sync();
  const desk = await device({ url: server.url, token, fetch: office.fetch });
  await desk.sync();
  line.online = false;
  await phone.updateRun(run_id, { name: 'Early', excluded: { reason: 'power cut' } });
  await phone.correctRun(run_id, [{ stage_name: 'Saw', order: 1, duration_secs: 8 }]);
  const here = await current(phone.run$(run_id));
  expect(here).toMatchObject({ name: 'Early', revision: 2, steps: [{ stage_name: 'Saw' }], pending: true });
  expect(await current(desk.run$(run_id))).toMatchObject({ steps: [{ stage_name: 'Cut' }] });
  line.online = true;
  await phone.sync();
  await desk.sync();
  const there = await current(desk.run$(run_id));
  expect(there).toMatchObject({ name: 'Early', recorded_steps: [{ stage_name: 'Cut' }], total_time_secs: 8 });
  expect(await current(desk.runs$(map_id))).toMatchObject([{ name: 'Early', total_time_secs: 8 }]);
  expect(await desk.importRecording({ mapId: map_id, recording })).toMatchObject({ run_id });
  await expect(desk.updateRun(1, { name: 'X' })).rejects.toMatchObject({ code: 'run_not_found' });
});

test('[OUTBOX-4] importing a recording twice makes one run', async () => {
  const phone = await device({ url: server.url, token: await server.newAccount() });
  const { map_id } = await phone.createMap({ name: 'Saw' });
  const recording = { recording_session_id: 'paper-1', steps: [{ stage_name: 'Cut', order: 1, duration_secs: 9 }] };
  const first = await phone.importRecording({ mapId: map_id, recording });
  expect(await phone.importRecording({ mapId: map_id, recording })).toEqual(first);
  await phone.sync();
  expect(await phone.importRecording({ mapId: map_id, recording })).toEqual(first);
  expect(await current(phone.runs$(map_id))).toHaveLength(1);
});

test('[SYNC-9] an unknown token blocks the sync, keeps everything and says why', async () => {
  const phone = await device({ url: server.url, token: `gk_${'A'.repeat(64)}` });
  await phone.createMap({ name: 'Kept' });
  const status = await eventually(phone.status$, ({ phase }) => phase === 'blocked');
  expect(status).toMatchObject({ pending: 1, error: { code: 'unauthorized', status: 401 } });
  expect(await current(phone.maps$)).toMatchObject([{ name: 'Kept', pending: true }]);
});
