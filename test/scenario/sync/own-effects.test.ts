/** Pushes whose effects the device computes and the server confirms, without a pull. */
import { randomUUID } from 'node:crypto';
import { firstValueFrom } from 'rxjs';
import { filter } from 'rxjs/operators';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PullResponse, RecordChange } from '../../../shared/protocol/pull.ts';
import type { PushResponse } from '../../../shared/protocol/push.ts';
import { current, device, json, manualSync, memoryStorage, network } from '../../device/devices.ts';
import { observedEvents } from '../../device/observed-events.ts';
import { observingProxy } from '../../device/observing-proxy.ts';
import { shownBy } from '../../device/shown-records.ts';
import { restClient, testServer, type TestServer } from '../../device/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

const recording = (name: string, recording_session_id: string) => ({
  recording_session_id,
  steps: [1, 2, 3].map((order) => ({ stage_name: `${name} ${order}`, order, duration_secs: order + 0.25 })),
});

async function syncedPhone(kind: 'phone' | 'wearable' = 'phone') {
  const proxy = await observingProxy(server.url);
  const token = await server.newAccount();
  const phone = await device({ url: proxy.url, token, kind });
  const { map_id } = await phone.createMap({ name: 'Saw' });
  await phone.sync();
  const rest = restClient(server.url, token);
  /** Returns the paths of the pushes and pulls that happen during `work`. */
  const requestsOf = async (work: () => Promise<unknown>) => {
    proxy.requests.length = 0;
    await work();
    return proxy.requests.map(({ path }) => path.replace('/api/v1/sync/', '')).filter((path) => path !== 'events');
  };
  return { phone, map_id, rest, requestsOf };
}

/** A device whose requests a test can count and change, and that asks for effects all the same. */
async function phoneWithFetch(pushEffects?: boolean, plan?: 'free') {
  const net = network();
  const token = await server.newAccount(plan);
  const options = {
    name: `device-${randomUUID()}`,
    url: server.url,
    token,
    storage: memoryStorage(),
    ...manualSync(net),
  };
  const open = () => device({ ...options, ...(pushEffects === undefined ? {} : { pushEffects }) });
  const phone = await open();
  const { map_id } = await phone.createMap({ name: 'Saw' });
  await phone.sync();
  const pulls: string[] = [];
  net.answers('sync/pull', (ask) => {
    pulls.push('pull');
    return ask();
  });
  /** Syncs once after changes that were made without a network. */
  const syncAfter = async (work: () => Promise<unknown>) => {
    net.online = false;
    await work();
    net.online = true;
    await phone.sync();
  };
  return { net, token, phone, map_id, pulls, open, syncAfter, rest: restClient(server.url, token) };
}

test('[SYNC-84] a device in step pushes every kind of change, pulls nothing and shows what a pull brings', async () => {
  const { phone, token, map_id, pulls, syncAfter } = await phoneWithFetch(true);
  await syncAfter(async () => {
    const { stage_id } = await phone.addStage(map_id, { stage: 'Clamp', cycle_time_hrs: 0.1 });
    await phone.addStage(map_id, { stage: 'Cut', work_type: 'valuable' });
    await phone.updateStage(map_id, stage_id, { stage: 'Clamp tight', order: 2 });
  });
  const runs: number[] = [];
  await syncAfter(async () => {
    for (const name of ['Saw', 'Plane', 'Sand']) {
      runs.push((await phone.importRecording({ mapId: map_id, recording: recording(name, name) })).run_id);
    }
  });
  const [first, second, third] = runs as [number, number, number];
  await syncAfter(async () => {
    await phone.updateRun(first, { name: 'Early', tags: ['night'], excluded: { reason: 'alarm' } });
    await phone.correctRun(second, recording('Planed', '').steps);
  });
  await syncAfter(async () => {
    const other = await phone.createMap({ name: 'Glue', state: 'future' });
    await phone.updateMap(other.map_id, { archived: true });
    await phone.deleteRun(third);
    const deleted = await phone.createMap({ name: 'Old' });
    await phone.deleteMap(deleted.map_id);
  });
  expect(pulls).toEqual([]);
  const other = await device({ url: server.url, token });
  await other.sync();
  const shown = await shownBy(phone);
  expect(shown).toEqual(await shownBy(other));
  expect(shown.flatMap((map) => map.runs)).toHaveLength(2);
  expect(await current(phone.status$)).toMatchObject({ pending: 0, attention: 0 });
});

test('[SYNC-84] changes that the server refuses go to the person without a pull, again and again', async () => {
  const { phone, map_id, pulls, syncAfter } = await phoneWithFetch(true, 'free');
  for (const [index, name] of ['B', 'C'].entries()) {
    await syncAfter(async () => {
      if (index === 0) await phone.createMap({ name: 'A' });
      await phone.createMap({ name });
    });
    expect(await current(phone.status$)).toMatchObject({ pending: 0, attention: index + 1 });
  }
  await syncAfter(async () => {
    for (const { seq } of await current(phone.attention$)) await phone.resolve(seq, 'discard');
    await phone.updateMap(map_id, { name: 'Band saw' });
  });
  expect(pulls).toEqual([]);
  expect(await current(phone.status$)).toMatchObject({ pending: 0, attention: 0 });
  expect((await current(phone.maps$)).map(({ name }) => name)).toEqual(['A', 'Band saw']);
});

test('[SYNC-84] a wearable gets the effects on its maps, without pulling runs', async () => {
  const { phone, map_id, rest, requestsOf } = await syncedPhone('wearable');
  await phone.importRecording({ mapId: map_id, recording: recording('Saw', 'one') });
  await phone.sync();
  await phone.importRecording({ mapId: map_id, recording: recording('Saw', 'two') });
  expect(await requestsOf(() => phone.sync())).toEqual(['push']);
  const { pending, ...map } = (await current(phone.map$(map_id)))!;
  const { analytics: _analytics, ...stored } = await rest.get<Record<string, unknown>>(`/maps/${map_id}`);
  expect(pending).toBe(false);
  expect(map).toMatchObject(stored);
});

test('[SYNC-85] what another device changed before is pulled after the push', async () => {
  const { phone, map_id, rest, requestsOf } = await syncedPhone();
  await rest.send('PATCH', `/maps/${map_id}`, { name: 'Band saw' });
  await phone.importRecording({ mapId: map_id, recording: recording('Saw', 'one') });
  expect(await requestsOf(() => phone.sync())).toContain('pull');
  expect(await current(phone.map$(map_id))).toMatchObject({ name: 'Band saw', run_count: 1 });
});

const answered = async (answer: Response): Promise<PushResponse> => (await answer.json()) as PushResponse;

test('[SYNC-86] effects with another digest change nothing, and the pull brings the records', async () => {
  const { net, phone, map_id, pulls, rest } = await phoneWithFetch(true);
  net.answers('sync/push', async (ask) => {
    const body = await answered(await ask());
    return json({ ...body, effects: { ...body.effects, at: '2001-01-01T00:00:00.000Z' } });
  });
  const { run_id } = await phone.importRecording({ mapId: map_id, recording: recording('Saw', 'one') });
  await phone.sync();
  expect(pulls).toHaveLength(1);
  const { pending, ...run } = (await current(phone.run$(run_id)))!;
  expect({ pending, run }).toEqual({ pending: false, run: await rest.get(`/runs/${run_id}`) });
});

test('[SYNC-87] what the event stream announces during the push is pulled after it', async () => {
  const net = network();
  const events = observedEvents(net);
  const token = await server.newAccount();
  const rest = restClient(server.url, token);
  const clock = { schedule: () => () => {} };
  const phone = await device({ url: server.url, token, fetch: net.fetch, clock, pushEffects: true });
  const { map_id } = await phone.createMap({ name: 'Saw' });
  await phone.sync();
  await events.next();
  net.answers('sync/push', async (ask) => {
    const response = await ask();
    await events.next();
    await rest.send('PATCH', `/maps/${map_id}`, { name: 'Band saw' });
    await events.next();
    return response;
  });
  await phone.importRecording({ mapId: map_id, recording: recording('Saw', 'one') });
  await firstValueFrom(phone.map$(map_id).pipe(filter((map) => map?.name === 'Band saw')));
  expect(await current(phone.map$(map_id))).toMatchObject({ run_count: 1 });
});

test('[SYNC-88] a device with a fetch of its own pulls after each push', async () => {
  const { phone, map_id, pulls } = await phoneWithFetch();
  await phone.importRecording({ mapId: map_id, recording: recording('Saw', 'one') });
  await phone.sync();
  expect(pulls).toHaveLength(1);
});

test('[SYNC-89] effects of more than 2,000 records are written in parts, and all arrive', async () => {
  const { net, phone, pulls, syncAfter } = await phoneWithFetch(true);
  const shownWhile: number[] = [];
  net.answers('sync/push', async (ask) => {
    const { pending } = await current(phone.status$);
    shownWhile.push(pending);
    return ask();
  });
  await syncAfter(() =>
    Promise.all(Array.from({ length: 2_250 }, (_, index) => phone.createMap({ name: `Map ${index}` }))),
  );
  await firstValueFrom(phone.status$.pipe(filter(({ phase }) => phase === 'idle')));
  expect(pulls).toEqual([]);
  expect(new Set(shownWhile)).toEqual(new Set([2_250, 250]));
  expect(await current(phone.maps$)).toHaveLength(2_251);
});

test('[SYNC-90] a device that dies between the answer and the write pulls what its push changed', async () => {
  const { net, phone, map_id, pulls, open, rest } = await phoneWithFetch(true);
  let died: () => void = () => {};
  const death = new Promise<void>((resolve) => (died = resolve));
  net.answers('sync/push', async (ask) => {
    await ask();
    died();
    return new Promise<Response>(() => {});
  });
  const { run_id } = await phone.importRecording({ mapId: map_id, recording: recording('Saw', 'one') });
  void phone.sync();
  await death;
  await phone.close();
  net.answers('sync/push', (ask) => ask());
  const again = await open();
  await again.sync();
  expect(pulls).toHaveLength(1);
  expect(await current(again.status$)).toMatchObject({ pending: 0, attention: 0 });
  expect((await rest.list(`/maps/${map_id}/runs`)).length).toBe(1);
  expect(await current(again.run$(run_id))).toMatchObject({ pending: false, number: 1 });
});

test('[SYNC-91] an earlier server gets no header, and its answers are pulled', async () => {
  const headers: (string | null)[] = [];
  const net = network();
  const token = await server.newAccount();
  const olderServer: typeof fetch = (input, init) => {
    if (String(input).endsWith('sync/push')) headers.push(new Headers(init?.headers).get('Gemba-Base'));
    return net.fetch(input, init);
  };
  const { clock } = manualSync(net);
  const phone = await device({ url: server.url, token, fetch: olderServer, clock, pushEffects: true });
  let isOld = true;
  net.answers('sync/pull', async (ask) => {
    const { push_effects, ...page } = (await (await ask()).json()) as PullResponse & { changes: RecordChange[] };
    return json(isOld ? page : { ...page, push_effects });
  });
  const rename = async (name: string) => {
    await phone.createMap({ name });
    await phone.sync();
  };
  for (const name of ['A', 'B']) await rename(name);
  isOld = false;
  for (const name of ['C', 'D']) await rename(name);
  expect(headers.map((header) => header === null)).toEqual([true, true, true, false]);
});
