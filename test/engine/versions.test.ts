import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { deviceRowId, type OutboxBody } from '../../client/store/rows.ts';
import { openDeviceStore } from '../../client/store/device-store.ts';
import { systemClock } from '../../client/clock.ts';
import { mutationRowId } from '../../client/outbox/bodies.ts';
import { protocolVersion } from '../../shared/protocol/version.ts';
import { upcasters } from '../../shared/schema/mutation-versions.ts';
import type { FullMap } from '../../shared/schema/map.ts';
import { restClient, testServer, type TestServer } from './account.ts';
import { current, device, memoryStorage } from './devices.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

/** A made-up past: `update_map` once said `title` for `name`. */
beforeEach(() => {
  upcasters.update_map = [({ title, ...args }) => ({ ...args, name: title })];
  onTestFinished(() => {
    delete upcasters.update_map;
  });
});

const clientId = '6b1f3c52-8d4e-4f6a-9c07-2e5d8b1a4f93';
const otherClientId = '7c2f4d63-9e5f-4a7b-8d18-3f6e9c2b5a04';
const mapId = '0190a1b2-0000-7000-8000-000000000001';
const recorded_at = '2026-03-01T08:00:00.000Z';

test('[VERSION-1] what an earlier app left in the outbox is shown and sent in the shape of now', async () => {
  const options = { name: 'long-dark', storage: memoryStorage() };
  const store = await openDeviceStore({ ...options, schedule: systemClock.schedule });
  const old = { kind: 'mutation', client_id: clientId, recorded_at, state: 'pending', error: null } as const;
  const rows: OutboxBody[] = [
    { kind: 'device', client_id: clientId, last_seq: 2, device_id: clientId, token: null, epoch: null },
    { ...old, seq: 1, name: 'create_map', args: { map_id: mapId, name: 'Saw' }, acknowledged_at: null },
    { ...old, seq: 2, name: 'update_map', args: { map_id: mapId, title: 'Big saw' }, acknowledged_at: null },
  ];
  const idOf = (body: OutboxBody) => (body.kind === 'mutation' ? mutationRowId(clientId, body.seq) : deviceRowId);
  await store.outbox.write(rows.map((body) => ({ id: idOf(body), body })));
  await store.close();

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

test('[VERSION-2] the server takes mutations in the shape of older devices, and refuses newer ones by themselves', async () => {
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
