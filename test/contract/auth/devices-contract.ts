import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { minute, pollUntil } from '../last-used.ts';
import { expectProblem, expectWrongFields, newApi, type Api, type GetServers } from '../fixture.ts';
import { newCode, pair, pairedDevice } from '../pairing.ts';
import { protocol, SyncClient } from '../sync-client.ts';

/** Opens a stream of events; `ended` resolves when the server ends the stream. */
async function openEventStream(api: Api): Promise<{ ended: Promise<unknown> }> {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const headers = { Authorization: `Bearer ${api.key}`, ...protocol };
  const response = await fetch(`${api.url}/api/v1/sync/events`, { headers, signal: leaving.signal });
  expect(response.status).toBe(200);
  const reader = response.body!.getReader();
  await reader.read();
  const toItsEnd = async () => {
    for (;;) if ((await reader.read()).done) return 'ended';
  };
  return { ended: toItsEnd() };
}

export function devicesContract(servers: GetServers): void {
  test('[AUTH-19] devices are listed newest first, a page at a time, with when they were seen', async () => {
    const { first, advance } = servers();
    const api = await newApi(first);
    const devices = [];
    for (const name of ['A', 'B', 'C']) devices.push(await pairedDevice(first, api, { name }));
    const newest = devices.toReversed().map(({ id }) => id);
    expect((await api.get('/api/v1/devices')).body).toEqual({
      data: ['C', 'B', 'A'].map((name, index) => ({
        id: newest[index],
        name,
        kind: 'wearable',
        paired_at: expect.stringMatching(/Z$/),
        last_seen_at: null,
        revoked_at: null,
        status: null,
        health: 'ok',
      })),
      next_cursor: null,
    });
    const page = await api.get('/api/v1/devices?limit=2');
    expect(page.body.data).toMatchObject([{ name: 'C' }, { name: 'B' }]);
    // Pairing again keeps the device's position in the list.
    await pairedDevice(first, api, { id: devices[0]!.id, name: 'A again' });
    const next = /^<(.+)>; rel="next"$/.exec(page.headers.get('Link')!)![1]!;
    expect((await api.get(next)).body).toMatchObject({ data: [{ name: 'A again' }], next_cursor: null });
    expectWrongFields(await api.get('/api/v1/devices?limit=0&cursor=x'), ['/limit']);
    expectWrongFields(await api.get('/api/v1/devices?cursor=x'), ['/cursor']);

    const seen = async () => (await api.get('/api/v1/devices')).body.data[0].last_seen_at as string | null;
    await devices[2]!.get('/api/v1/maps');
    const firstSeen = await pollUntil(seen, (at) => at !== null);
    advance(minute + 1);
    await devices[2]!.get('/api/v1/maps');
    await pollUntil(seen, (at) => Date.parse(at!) - Date.parse(firstSeen!) > minute);
  });

  test('[AUTH-20] revoking a device stops its token at once, on every server, and is idempotent', async () => {
    const { first, second } = servers();
    const api = await newApi(first);
    const watch = await pairedDevice(first, api);
    const other = await pairedDevice(first, api);
    const path = `/api/v1/devices/${watch.id}/revoke`;
    const revoked = await api.post(path);
    expect(revoked).toMatchObject({ status: 200, body: { id: watch.id, revoked_at: expect.any(String) } });
    for (const server of [first, second]) {
      expectProblem(await watch.at(server).get('/api/v1/maps'), 401, 'unauthorized');
      expect((await other.at(server).get('/api/v1/maps')).status).toBe(200);
    }
    expect((await api.post(path)).body).toEqual(revoked.body);
    const { revoked_keys, kept_keys, ...device } = revoked.body;
    expect([revoked_keys, kept_keys]).toEqual([[], []]);
    expect((await api.get('/api/v1/devices')).body.data[1]).toMatchObject(device);
    for (const id of [randomUUID(), 'x']) {
      expectProblem(await api.post(`/api/v1/devices/${id}/revoke`), 404, 'device_not_found');
    }
    const stranger = await newApi(first);
    expectProblem(await stranger.post(path), 404, 'device_not_found');
    expectWrongFields(await api.post(path, { reason: 'lost' }), ['/reason']);
  });

  test('[AUTH-41] [AUTH-84] a code for one kind of device does not take over a paired device of the other kind', async () => {
    const { first } = servers();
    const api = await newApi(first);
    for (const [kind, other] of [
      ['phone', 'wearable'],
      ['wearable', 'phone'],
      ['desk', 'wearable'],
      ['wearable', 'desk'],
    ] as const) {
      const device = await pairedDevice(first, api, { kind, name: kind });
      const taken = await pair(first, { code: await newCode(api, other), id: device.id, kind: other });
      expectProblem(taken, 401, 'pairing_code_invalid');
      expect((await device.get('/api/v1/maps')).status).toBe(200);
      expect((await api.get('/api/v1/devices')).body.data[0]).toMatchObject({ id: device.id, kind, name: kind });
      await api.post(`/api/v1/devices/${device.id}/revoke`);
      expect((await pair(first, { code: await newCode(api, other), id: device.id, kind: other })).status).toBe(201);
    }
  });

  test('[AUTH-21] an open event stream ends when its token is revoked, whichever server revokes it', async () => {
    const { first, second } = servers();
    const api = await newApi(first);
    const watch = await pairedDevice(first, api);
    const key = await api.post('/api/v1/keys', {});
    const keyed = Object.assign(api.at(first), { key: key.body.api_key });
    const [here, there, ofKey] = [
      await openEventStream(watch),
      await openEventStream(watch.at(second)),
      await openEventStream(keyed),
    ];
    const stays = await openEventStream(api);
    await api.post(`/api/v1/devices/${watch.id}/revoke`);
    expect(await Promise.all([here.ended, there.ended])).toEqual(['ended', 'ended']);
    await api.at(second).post(`/api/v1/keys/${key.body.key.id}/revoke`);
    expect(await ofKey.ended).toBe('ended');
    // When another device is paired again, only the stream of its first token ends.
    const phone = await pairedDevice(first, api, { kind: 'phone' });
    const old = await openEventStream(phone);
    const again = await openEventStream(await pairedDevice(first, api, { kind: 'phone', id: phone.id }));
    expect(await old.ended).toBe('ended');
    const race = await Promise.race([stays.ended, again.ended, api.get('/api/v1/devices')]);
    expect(race).toMatchObject({ status: 200 });
  });

  test('[AUTH-22] the sync client of a revoked device stays its own, and goes on when the device is paired again', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const phone = await pairedDevice(first, api, { kind: 'phone' });
    const client = new SyncClient(phone);
    await client.apply('create_map', { name: 'Before' });
    const mutations = [client.next('create_map', { name: 'After' })];
    await api.post(`/api/v1/devices/${phone.id}/revoke`);
    expectProblem(await client.push(mutations), 401, 'unauthorized');
    const other = await pairedDevice(first, api, { kind: 'phone' });
    expectProblem(await client.push(mutations, { api: other }), 403, 'forbidden');
    const back = await pairedDevice(first, api, { kind: 'phone', id: phone.id });
    const pushed = await client.push(mutations, { api: back });
    expect(pushed.body).toMatchObject({ last_seq: 2, results: [{ status: 'applied' }] });
    expect((await api.get('/api/v1/maps')).body.data).toMatchObject([{ name: 'After' }, { name: 'Before' }]);
  });

  test('[AUTH-37] a device is renamed, also a revoked one, by its own account alone, and nothing else of it changes', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const watch = await pairedDevice(first, api, { name: 'Watch' });
    const [{ status: _status, health: _health, ...before }] = (await api.get('/api/v1/devices')).body.data;
    const path = `/api/v1/devices/${watch.id}`;
    const renamed = await api.patch(path, { name: '  Watch of hall 3 ' });
    expect(renamed).toMatchObject({ status: 200, body: { ...before, name: 'Watch of hall 3' } });
    expect((await api.get('/api/v1/devices')).body.data).toMatchObject([renamed.body]);
    expect((await watch.get('/api/v1/maps')).status).toBe(200);
    expectProblem(await watch.patch(path, { name: 'Mine' }), 403, 'forbidden');

    const { revoked_keys, kept_keys, ...revoked } = (await api.post(`${path}/revoke`)).body;
    expect([revoked_keys, kept_keys]).toEqual([[], []]);
    expect((await api.patch(path, { name: 'Lost' })).body).toEqual({ ...revoked, name: 'Lost' });
    expectProblem(await watch.get('/api/v1/maps'), 401, 'unauthorized');
    for (const id of [randomUUID(), 'x']) {
      expectProblem(await api.patch(`/api/v1/devices/${id}`, { name: 'Nobody' }), 404, 'device_not_found');
    }
    expectProblem(await (await newApi(first)).patch(path, { name: 'Theirs' }), 404, 'device_not_found');
    expectWrongFields(await api.patch(path, { name: ' ', kind: 'phone' }), ['/kind', '/name']);
    expectWrongFields(await api.patch(path, {}), ['/name']);
  });

  test('[AUTH-23] a device that was revoked does not come back with the code that it came with', async () => {
    const { first, advance } = servers();
    advance(61_000);
    const api = await newApi(first);
    const [code, id] = [await newCode(api), randomUUID()];
    expect((await pair(first, { code, id })).status).toBe(201);
    await api.post(`/api/v1/devices/${id}/revoke`);
    expectProblem(await pair(first, { code, id }), 401, 'pairing_code_invalid');
    expect((await pair(first, { code: await newCode(api), id })).status).toBe(201);
    expect((await api.get('/api/v1/devices')).body.data).toMatchObject([{ id, revoked_at: null }]);
  });
}
