import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { deviceRowId, mutationRowId, type MutationBody } from '../../../client/storage/rows.ts';
import { openDeviceTables } from '../../../client/storage/device-tables.ts';
import { systemClock } from '../../../client/core/clock.ts';
import { protocolVersion } from '../../../shared/protocol/version.ts';
import { upcasters } from '../../../shared/schema/mutation-versions.ts';
import type { FullMap } from '../../../shared/schema/map.ts';
import { restClient, testServer, type TestServer } from '../../device/test-server.ts';
import { current, device, memoryStorage } from '../../device/devices.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

/** An invented older version of `update_map` that calls the name `title`. */
beforeEach(() => {
  upcasters.update_map = [({ title, ...args }) => ({ ...args, name: title })];
  onTestFinished(() => {
    delete upcasters.update_map;
  });
});

const otherClientId = '7c2f4d63-9e5f-4a7b-8d18-3f6e9c2b5a04';
const mapId = '0190a1b2-0000-7000-8000-000000000001';
const otherMapId = '0190a1b2-0000-7000-8000-000000000002';
const recorded_at = '2026-03-01T08:00:00.000Z';

interface StoredMutation {
  name: string;
  args: object;
  version?: number;
}

/** A device whose outbox another version of the app has written. */
async function openDeviceWithOutbox(name: string, mutations: StoredMutation[]) {
  const options = { name, storage: memoryStorage() };
  const client_id = randomUUID();
  const store = await openDeviceTables({ ...options, clock: systemClock });
  const owner = { kind: 'device', client_id, device_id: randomUUID(), token: null, epoch: null } as const;
  const left = {
    kind: 'mutation',
    client_id,
    recorded_at,
    state: 'pending',
    error: null,
    acknowledged_at: null,
  } as const;
  const bodies = mutations.map((made, index) => ({ ...left, ...made, seq: index + 1 }) as MutationBody);
  await store.outbox.write([
    { id: deviceRowId, body: { ...owner, last_seq: bodies.length } },
    ...bodies.map((body) => ({ id: mutationRowId(client_id, body.seq), body })),
  ]);
  await store.close();
  return options;
}

test('[VERSION-1] what an earlier app left in the outbox is shown and sent in the shape of now', async () => {
  const options = await openDeviceWithOutbox('long-dark', [
    { name: 'create_map', args: { map_id: mapId, name: 'Saw' } },
    { name: 'update_map', args: { map_id: mapId, title: 'Big saw' } },
  ]);
  const token = await server.newAccount();
  const phone = await device({ ...options, url: server.url, token });
  expect(await current(phone.map$(mapId))).toMatchObject({ name: 'Big saw' });
  await phone.updateMap(mapId, { industry: 'wood' });
  await phone.sync();
  expect(await current(phone.status$)).toMatchObject({ pending: 0, attention: 0 });
  expect(await restClient(server.url, token).get<FullMap>(`/maps/${mapId}`)).toMatchObject({
    name: 'Big saw',
    industry: 'wood',
  });
});

test('[VERSION-4] [VERSION-6] what a newer app left in the outbox is sent as it is, and an older one opens', async () => {
  const newer: StoredMutation[] = [
    { name: 'create_map', args: { map_id: otherMapId, heading: 'Press' }, version: 2 },
    { name: 'upload_recording', args: { map_id: mapId, taps: [] }, version: 3 },
    { name: 'split_map', args: { map_id: mapId } },
  ];
  const options = await openDeviceWithOutbox('left-by-a-newer-app', [
    { name: 'create_map', args: { map_id: mapId, name: 'Saw' } },
    ...newer,
  ]);
  let sent: StoredMutation[] = [];
  const spy: typeof fetch = (input, init) => {
    if (init?.method === 'POST') sent = (JSON.parse(init.body as string) as { mutations: StoredMutation[] }).mutations;
    return fetch(input, init);
  };
  const phone = await device({ ...options, url: server.url, token: await server.newAccount(), fetch: spy });
  expect(await current(phone.maps$)).toMatchObject([{ name: 'Saw' }]);
  expect(await current(phone.status$)).toMatchObject({ pending: 4 });
  await phone.createMap({ name: 'Drill' });
  await phone.sync();
  expect(sent.slice(1, -1)).toMatchObject(newer);
  expect((await current(phone.maps$)).map(({ name }) => name)).toEqual(['Drill', 'Saw']);
  // The server is older than these mutations, too, and refuses them.
  expect((await current(phone.attention$)).map(({ message }) => message.split(' was ')[0])).toEqual([
    'The new map',
    'The recording',
    'The change',
  ]);
});

test('[VERSION-2] [VERSION-5] the server takes mutations in the shape of older devices, and refuses newer ones by themselves', async () => {
  const token = await server.newAccount();
  const push = async (mutations: object[]) => {
    const response = await fetch(`${server.url}/api/v1/sync/push`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'Gemba-Protocol': String(protocolVersion),
      },
      body: JSON.stringify({ client_id: otherClientId, acked_seq: 0, mutations }),
    });
    expect(response.status, await response.clone().text()).toBe(200);
    return ((await response.json()) as { results: { status: string; error?: { errors?: { path: string }[] } }[] })
      .results;
  };
  const update = (seq: number, args: object, version?: number) => ({
    seq,
    name: 'update_map',
    args: { map_id: mapId, ...args },
    recorded_at,
    ...(version === undefined ? {} : { version }),
  });
  const create = { seq: 1, name: 'create_map', args: { map_id: mapId, name: 'Saw' }, recorded_at };
  const results = await push([
    create,
    update(2, { title: 'One' }),
    update(3, { title: 'Two' }, 1),
    update(4, { name: 'Three' }, 2),
    update(5, { heading: 'Four' }, 3),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['applied', 'applied', 'applied', 'applied', 'rejected']);
  expect(results[4]?.error?.errors).toMatchObject([{ path: '/version' }]);
  expect(await restClient(server.url, token).get<FullMap>(`/maps/${mapId}`)).toMatchObject({ name: 'Three' });
});
