/** The inspector of an engine in Node with a real server, and its file for support. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInspector } from '../../../client/entries/devtools.ts';
import type { PairingCode } from '../../../shared/schema/auth.ts';
import { current, device, manualSync, network } from '../../device/devices.ts';
import { recordingOf } from '../../device/phones.ts';
import { restClient, testServer, type TestServer } from '../../device/test-server.ts';
import { inspectedDevice } from './inspected-device.ts';
import { seeds } from './seeds.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

test('[DEV-1] [DEV-2] [DEV-3] [DEV-4] an inspector shows the outbox, records with what waits on top, custody and the rounds of the sync', async () => {
  const { phone, net, inspector } = await inspectedDevice(server);
  const { map_id } = await phone.createMap({ name: 'Press line' });
  await phone.sync();
  await inspector.trace(true);
  net.online = false;
  await phone.updateMap(map_id, { name: 'Press line 4' });
  const { run_id } = await phone.importRecording({ mapId: map_id, recording: recordingOf('s-1') });
  await phone.sync();
  net.answers('sync/push', () => Promise.resolve(Response.json({ code: 'unavailable', status: 503 }, { status: 503 })));
  net.online = true;
  await phone.sync();

  const { outbox, trace, custody, base, journal, storage, engine } = await inspector.snapshot();
  const pushes = trace.rounds.flatMap(({ requests }) => requests).filter(({ kind }) => kind === 'push');
  expect(outbox).toMatchObject({
    counts: { pending: 2, refused: 0, receipt: 0 },
    entries: [
      {
        state: 'pending',
        name: 'update_map',
        seq: 2,
        attempts: pushes.length,
        last_failure: 'unavailable',
        args: { map_id },
      },
      { state: 'pending', name: 'upload_recording', seq: 3, last_failure: 'unavailable' },
    ],
    left_out: 0,
  });
  expect(trace).toMatchObject({ is_on: true, leads: true });
  const failed = trace.rounds[0];
  const unreachable = trace.rounds.find(({ outcome }) => outcome === 'offline');
  expect(failed).toMatchObject({ outcome: 'waiting', error: 'unavailable', waiting_before: 2, waiting_after: 2 });
  expect(failed?.requests.find(({ kind }) => kind === 'push')).toMatchObject({
    kind: 'push',
    method: 'POST',
    status: 503,
    error: 'unavailable',
    by: 'network',
    client_id: engine.client_id,
    sent_seq: 3,
    sent_bytes: expect.any(Number),
    ms: expect.any(Number),
  });
  expect(unreachable).toMatchObject({
    outcome: 'offline',
    requests: [
      { kind: 'push', status: null, error: 'unreachable' },
      { kind: 'pull', status: null, error: 'unreachable' },
    ],
  });
  expect(base).toMatchObject({ maps: 1, runs: 0, cursor: { complete: true } });
  expect(base.pending).toEqual([
    { kind: 'map', id: map_id },
    { kind: 'run', id: String(run_id) },
  ]);
  expect(custody).toMatchObject({
    recordings: [{ recording_session_id: 's-1', map_id, state: 'pending', custody: 'device', carriers: [] }],
    carrying: { messages: 0 },
    hand_over_problem: null,
  });
  expect(journal).toMatchObject({ state: 'none', rows: 0 });
  expect(storage).toMatchObject({ driver: 'rxdb:memory', problem: null });
  expect(storage.collections).toContainEqual({ name: 'outbox', rows: 3 });
  expect(engine).toMatchObject({ has_token: true, last_seq: 3, sent_seq: 3, server: new URL(server.url).origin });

  const layers = await inspector.record('map', map_id);
  expect(layers).toMatchObject({ base: { name: 'Press line' }, shown: { name: 'Press line 4' } });
  expect(layers.changed).toEqual(expect.arrayContaining(['name', 'run_count']));
  expect(layers.pending.map(({ name }) => name)).toEqual(['update_map', 'upload_recording']);
  expect(await inspector.record('run', String(run_id))).toMatchObject({ base: null, shown: { map_id } });
  expect(await inspector.maps()).toEqual([{ id: map_id, name: 'Press line 4', is_pending: true }]);
  expect(await inspector.runs(map_id)).toEqual([{ id: String(run_id), name: '#1', is_pending: true }]);
  await expect(inspector.record('run', '7')).rejects.toMatchObject({ code: 'run_not_found' });

  net.answers('sync/push', (ask) => ask());
  await phone.sync();
  const after = await inspector.snapshot();
  expect(after.outbox.counts).toMatchObject({ pending: 0, receipt: 1 });
  expect(after.trace.rounds[0]).toMatchObject({ outcome: 'idle', error: null, waiting_before: 2, waiting_after: 0 });
  expect(after.trace.rounds[0]?.records_written).toBeGreaterThanOrEqual(2);
  expect(after.custody.recordings).toMatchObject([{ state: 'receipt', custody: 'server' }]);
  await phone.close();
  await expect(inspector.snapshot()).rejects.toMatchObject({ code: 'closed' });
});

test('[DEV-5] [DEV-6] [DEV-7] looking writes no row and sends no request, and without a trace no request is wrapped', async () => {
  const { phone, net, inspector, engine } = await inspectedDevice(server);
  const { map_id } = await phone.createMap({ name: 'Saw' });
  await phone.sync();
  expect(engine.detour.fetch).toBeUndefined();
  let writes = 0;
  for (const table of [engine.store.records, engine.store.outbox, engine.store.drafts])
    table.onWrite('observer', () => writes++);
  let requests = 0;
  for (const path of ['sync/push', 'sync/pull', 'relay/keys']) net.answers(path, (ask) => (requests++, ask()));
  await inspector.snapshot();
  await inspector.record('map', map_id);
  await inspector.supportBundle({ texts: true });
  await inspector.trace(true);
  expect([writes, requests]).toEqual([0, 0]);
  // A carrier at the side of the device keeps its requests, traced or not, and makes the device online.
  expect([engine.detour.fetch, engine.detour.carrierFetch]).toEqual([expect.any(Function), undefined]);
  await phone.sync();
  expect(requests).toBeGreaterThan(0);
  const { rounds } = (await inspector.snapshot()).trace;
  await inspector.trace(false);
  expect(engine.detour.fetch).toBeUndefined();
  await phone.sync();
  expect((await inspector.snapshot()).trace).toMatchObject({ is_on: false });
  expect((await inspector.snapshot()).trace.rounds).toEqual(rounds);
});

test('[DEV-8] [DEV-9] [DEV-10] a file for support has no secret, and texts of people only if they were asked for', async () => {
  const key = await server.newAccount();
  const rest = restClient(server.url, key);
  const { body } = await rest.send<PairingCode>('POST', '/auth/pairing-code', { device_kind: 'phone' });
  const { made, text } = seeds();
  const net = network();
  const inspector = createInspector();
  const sent: string[] = [];
  for (const path of ['sync/push', 'sync/pull'])
    net.answers(path, (ask, { body: content }) => (sent.push(content), ask()));
  const { fetch, clock } = manualSync(net);
  let token = '';
  const noting: typeof fetch = (input, init) => {
    token = new Headers(init?.headers).get('Authorization')?.replace('Bearer ', '') ?? token;
    return fetch(input, init);
  };
  const name = `db-${text('database').replaceAll(' ', '-')}`;
  made.push(name);
  const phone = await device({ name, url: `${server.url}/?${text('query')}`, fetch: noting, clock, inspector });
  await phone.pair(body.code, text('device'));
  await inspector.trace(true);

  const refused = await phone.createMap({
    name: text('map'),
    industry: text('industry'),
    description: text('description'),
  });
  await phone.addStage(refused.map_id, { stage: text('stage') });
  const kept = await phone.createMap({ name: text('kept map') });
  const session = 'Order-4711-Gruenwald';
  made.push(session);
  const steps = [{ stage_name: text('step'), notes: text('note of a step'), order: 1, duration_secs: 2 }];
  const { run_id } = await phone.importRecording({
    mapId: kept.map_id,
    recording: { recording_session_id: session, steps },
  });
  await phone.sync();
  await rest.send('POST', `/maps/${refused.map_id}/delete`);
  await phone.updateMap(refused.map_id, { name: text('refused name') });
  await phone.sync();
  await phone.updateMap(refused.map_id, { description: text('discarded') }).catch(() => undefined);
  // The server's words may have those of people, too.
  const problem = {
    code: 'unavailable',
    status: 503,
    title: text('title'),
    detail: text('detail'),
    map: text('member'),
  };
  net.answers('sync/push', () => Response.json(problem, { status: 503 }));
  await phone.updateRun(run_id, {
    name: text('run'),
    tags: [text('tag')],
    note: text('note of a run'),
    excluded: { reason: text('reason') },
  });
  const recording = await phone.startRecording({ newMap: { name: text('new map') } });
  await recording.step({ stage_name: text('step under way'), notes: text('note under way') });
  await recording.note(text('later note'));
  await phone.sync();
  const [attention] = await current(phone.attention$);
  expect(attention).toMatchObject({ name: 'update_map' });

  const settings = { runs_kept: 2000, carries: true, owner: text('setting'), [text('name of a setting')]: true };
  const bundle = await inspector.supportBundle({ settings });
  const content = JSON.stringify(bundle);
  const secrets = [token, key, body.code, body.code.replace('-', ''), 'Bearer'];
  expect(token).toMatch(/^g/);
  expect(secrets.filter((secret) => content.includes(secret))).toEqual([]);
  expect(made.filter((seed) => content.includes(seed) || content.includes(encodeURIComponent(seed)))).toEqual([]);
  expect(content).not.toContain('Grünwald');
  expect(bundle).toMatchObject({
    format: 'gemba-support',
    version: 1,
    texts: false,
    settings: { runs_kept: 2000, carries: true, owner: expect.stringMatching(/^text \d+ \(\d+\)$/) },
    outbox: { counts: { refused: 1, receipt: 1 } },
    engine: { has_token: true, server: new URL(server.url).origin },
    trace: { is_on: true },
    platform: { time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone },
    status: { phase: 'waiting', error: { code: 'unavailable', status: 503 } },
  });
  expect(bundle.records.map(({ kind, changed }) => [kind, changed])).toEqual([
    ['run', expect.arrayContaining(['name', 'note', 'tags', 'excluded'])],
  ]);
  expect(JSON.stringify(await inspector.supportBundle({ settings }).then(({ records }) => records))).toBe(
    JSON.stringify(bundle.records),
  );

  const open = JSON.stringify(await inspector.supportBundle({ texts: true, settings }));
  expect(secrets.filter((secret) => open.includes(secret))).toEqual([]);
  const places = ['refused name', 'run', 'reason', 'step', 'note of a step', 'tag'];
  expect(places.filter((place) => !made.some((seed) => seed.includes(` ${place} `) && open.includes(seed)))).toEqual(
    [],
  );
});
