import { expect, test } from 'vitest';
import { sweepAllAccounts } from '../../../server/store/retention.ts';
import { adminToken, Api, expectProblem, expectWrongFields, newApi, steps, type GetServers } from '../fixture.ts';
import { readAll, told, type SeenEvent } from '../account-events.ts';
import { append, declare, photoIdOf } from '../photos/photo-client.ts';
import { largeJpeg } from '../../photo-samples.ts';
import { pairedDevice } from '../pairing.ts';
import { pullAll, SyncClient } from '../sync-client.ts';

const dayMs = 86_400_000;

export function accountEventsContract(servers: GetServers): void {
  test('[EVENTLOG-1] [EVENTLOG-5] each change of maps and runs is one event with the version of its record', async () => {
    const api = await newApi(servers().first);
    const map = await api.createMap({ name: 'Paint shop' });
    const { run } = await api.record(map.id, { recording_session_id: 'once' });
    expect((await api.record(map.id, { recording_session_id: 'once' })).run.id).toBe(run.id);
    await api.patch(`/api/v1/runs/${run.id}`, { tags: ['late'] });
    const renamed = await api.patch(`/api/v1/maps/${map.id}`, { name: 'Paint' });
    expect((await api.patch(`/api/v1/maps/${map.id}`, { name: 'Paint' })).body.version).toBe(renamed.body.version);
    expectWrongFields(await api.patch(`/api/v1/maps/${map.id}`, { name: '' }), ['/name']);
    expect((await api.post(`/api/v1/runs/${run.id}/delete`)).status).toBe(200);
    expect((await api.post(`/api/v1/maps/${map.id}/delete`)).status).toBe(200);
    const restored = await api.post(`/api/v1/maps/${map.id}/restore`);
    const events = await readAll(api);
    expect(told(events)).toEqual([
      ['map.created', map.id],
      ['map.updated', map.id],
      ['recording.received', run.id],
      ['run.updated', run.id],
      ['map.updated', map.id],
      ['map.updated', map.id],
      ['run.deleted', run.id],
      ['map.deleted', map.id],
      ['map.restored', map.id],
    ]);
    expect([events[0]!.version, events[2]!.version]).toEqual([map.version, run.version]);
    expect(events.at(-1)!.version).toBe(restored.body.version);
    expect(events.map(({ version }) => version)).toEqual(
      events.map(({ version }) => version).toSorted((a, b) => a - b),
    );
  });

  test('[EVENTLOG-2] [EVENTLOG-16] [EVENTLOG-17] pages lead through all events of 400 mutations once, also those written meanwhile', async () => {
    const { first, second } = servers();
    const api = await newApi(first);
    const client = new SyncClient(api);
    const make = (count: number) =>
      Array.from({ length: count }, (_, i) => client.next('create_map', { name: `M${i}` }));
    await client.push(make(200));
    const seen: SeenEvent[] = [];
    let cursor: string | undefined;
    let other = second;
    for (let page = 0; page < 100; page++) {
      const text = new URLSearchParams({ limit: '7', ...(cursor === undefined ? {} : { after: cursor }) });
      const { body } = await api.at(other).get(`/api/v1/events?${text}`);
      other = other === first ? second : first;
      seen.push(...body.data);
      cursor = body.next_cursor;
      if (page % 10 === 3 && page < 80) await client.push(make(25));
    }
    const { changes } = await pullAll(client);
    const maps = changes.filter(({ kind }) => kind === 'map');
    expect(maps).toHaveLength(400);
    expect(seen.map(({ subject, version }) => [subject.id, version])).toEqual(
      maps.map(({ id, version }) => [id, version]),
    );
    expect(new Set(seen.map(({ id }) => id)).size).toBe(400);
    expect(seen[0]!.id).toMatch(/^evt_[A-Za-z0-9_-]{32}$/);
    expect((await readAll(api))[0]).toEqual(seen[0]);
    const { body: later } = await api.get(`/api/v1/events?after=${cursor}`);
    expect(later).toEqual({ data: [], next_cursor: cursor, has_more: false });
  });

  test('[EVENTLOG-3] [EVENTLOG-4] events of devices, keys and the account name who made the change', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const { body: made } = await api.post('/api/v1/keys', { name: 'CI' });
    const watch = await pairedDevice(first, api);
    const map = await api.createMap();
    await watch.record(map.id);
    expect((await api.post(`/api/v1/devices/${watch.id}/revoke`)).status).toBe(200);
    expect((await api.post(`/api/v1/devices/${watch.id}/revoke`)).status).toBe(200);
    expect((await api.post(`/api/v1/keys/${made.key.id}/revoke`)).status).toBe(200);
    const renamed = await api.patch(`/api/v1/devices/${watch.id}`, { name: 'Watch 8' });
    expect(renamed.status).toBe(200);
    expect((await api.patch(`/api/v1/devices/${watch.id}`, { name: 'Watch 8' })).status).toBe(200);
    const operator = new Api({ url: first.url, key: adminToken, accountId: api.accountId });
    const changed = await operator.patch(`/api/v1/admin/accounts/${api.accountId}`, { name: 'New name' });
    expect(changed.status).toBe(200);
    await operator.patch(`/api/v1/admin/accounts/${api.accountId}`, { name: 'New name' });
    const events = await readAll(api);
    const key = { kind: 'key', id: made.key.created_by.id };
    const device = { kind: 'device', id: watch.id };
    expect(events.map(({ type, actor }) => [type, actor])).toEqual([
      ['key.created', key],
      ['device.paired', key],
      ['map.created', key],
      ['map.updated', device],
      ['recording.received', device],
      ['device.revoked', key],
      ['key.revoked', key],
      ['device.updated', key],
      ['account.changed', { kind: 'operator', id: null }],
    ]);
    expect(new Set(events.map(({ version }) => version)).size).toBe(9);
    expect(events[1]!.subject).toEqual({ kind: 'device', id: watch.id });
  });

  test('[EVENTLOG-18] a photo that was stored is an event of the device that sent its last bytes', async () => {
    const { first, second } = servers();
    const api = await newApi(first);
    const phone = await pairedDevice(first, api, { kind: 'phone' });
    const photo = largeJpeg(3_000, 'told');
    await declare(api, photo);
    await append(api, photo, { offset: 0, raw: photo.subarray(0, 100) });
    const { body: before } = await api.get('/api/v1/events?after=latest');
    await append(phone.at(second), photo, { offset: 100, raw: photo.subarray(100) });
    const { cursor } = await pullAll(new SyncClient(api));
    const [stored, ...more] = await readAll(api, { after: before.next_cursor, include: 'subject' });
    expect(more).toEqual([]);
    const record = { id: photoIdOf(photo), status: 'stored', content_type: 'image/jpeg', bytes: photo.length };
    expect(stored).toMatchObject({
      type: 'photo.stored',
      subject: { kind: 'photo', id: photoIdOf(photo), record },
      actor: { kind: 'device', id: phone.id },
    });
    expect(Buffer.from(cursor, 'base64url').toString()).toBe(String(stored!.version));
  });

  test('[EVENTLOG-6] [EVENTLOG-7] [EVENTLOG-8] events are filtered by type, and what is no cursor or type is refused', async () => {
    const api = await newApi(servers().first);
    const { body: start } = await api.get('/api/v1/events?after=latest');
    expect(start).toEqual({ data: [], next_cursor: expect.any(String), has_more: false });
    const map = await api.createMap();
    const { run } = await api.record(map.id);
    expect(told(await readAll(api, { types: 'map.created,recording.received' }))).toEqual([
      ['map.created', map.id],
      ['recording.received', run.id],
    ]);
    const { body: end } = await api.get('/api/v1/events?after=latest');
    expect(end.data).toEqual([]);
    expect(told(await readAll(api, { after: start.next_cursor }))).toHaveLength(3);
    expect(told(await readAll(api, { after: end.next_cursor }))).toEqual([]);
    expectWrongFields(await api.get('/api/v1/events?types=map.created,map.made'), ['/types']);
    for (const wrong of ['x', 'MTI', `${start.next_cursor}A`]) {
      expectWrongFields(await api.get(`/api/v1/events?after=${wrong}`), ['/after']);
    }
    expectWrongFields(await api.get('/api/v1/events?limit=0'), ['/limit']);
    const other = await newApi(servers().first);
    expect(await readAll(other)).toEqual([]);
  });

  test('[EVENTLOG-9] [EVENTLOG-10] a subject comes as it is now, and a device, key or account to admins alone', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const map = await api.createMap({ name: 'Before' });
    await api.patch(`/api/v1/maps/${map.id}`, { name: 'Now' });
    const { run } = await api.record(map.id, { steps: steps('Cut', 'Sew') });
    const { run: gone } = await api.record(map.id, { steps: steps('Cut', 'Sew') });
    await api.post(`/api/v1/runs/${gone.id}/delete`);
    const watch = await pairedDevice(first, api);
    const recordOf = (events: SeenEvent[], id: unknown) =>
      events.find(({ subject }) => subject.id === id)!.subject.record;
    const events = await readAll(api, { include: 'subject' });
    expect(recordOf(events, map.id)).toEqual((await api.get(`/api/v1/maps/${map.id}`)).body);
    const [listed] = (await api.get(`/api/v1/maps/${map.id}/runs`)).body.data;
    expect(recordOf(events, run.id)).toEqual(listed);
    expect(recordOf(events, gone.id)).toBe(null);
    const [listedWatch] = (await api.get('/api/v1/devices')).body.data;
    expect(listedWatch).toMatchObject(recordOf(events, watch.id) as object);
    const seenByWatch = await readAll(watch, { include: 'subject' });
    expect(recordOf(seenByWatch, map.id)).toMatchObject({ name: 'Now' });
    expect(seenByWatch.find(({ subject }) => subject.id === watch.id)!.subject).toEqual({
      kind: 'device',
      id: watch.id,
    });
  });

  test('[EVENTLOG-11] [EVENTLOG-12] events go after 30 days, and a cursor before them is refused with the oldest one', async () => {
    const { first, second } = servers();
    const api = await newApi(first);
    const { body: start } = await api.get('/api/v1/events?after=latest');
    await api.createMap({ name: 'A' });
    const { body: middle } = await api.get('/api/v1/events?after=latest');
    await api.createMap({ name: 'B' });
    const { body: end } = await api.get('/api/v1/events?after=latest');
    const sweepAfter = (days: number) =>
      sweepAllAccounts({ store: first.store, now: () => first.world.now() + days * dayMs, rowsMax: 1 });
    await sweepAfter(29);
    expect(await readAll(api)).toHaveLength(2);
    await sweepAfter(31);
    await sweepAfter(31);
    expect(await readAll(api)).toEqual([]);
    const late = await api.createMap({ name: 'C' });
    for (const { next_cursor } of [start, middle]) {
      const expired = await api.at(second).get(`/api/v1/events?after=${next_cursor}`);
      expectProblem(expired, 410, 'cursor_expired');
      expect(expired.body.reason).toBe('removed');
      expect(told(await readAll(api, { after: expired.body.oldest_cursor }))).toEqual([['map.created', late.id]]);
    }
    expect(told(await readAll(api, { after: end.next_cursor }))).toEqual([['map.created', late.id]]);
    expect(told(await readAll(api))).toEqual([['map.created', late.id]]);
  });

  test('[EVENTLOG-19] a cursor from changes that a takeover lost is refused with the newest one', async () => {
    const api = await newApi(servers().first);
    const { body: end } = await api.get('/api/v1/events?after=latest');
    const [version, history] = Buffer.from(end.next_cursor, 'base64url').toString().split('.');
    const lost = Buffer.from(`${Number(version) + 5}.${history}`).toString('base64url');
    const expired = await api.get(`/api/v1/events?after=${lost}`);
    expectProblem(expired, 410, 'cursor_expired');
    expect(expired.body).toMatchObject({ reason: 'restored', latest_cursor: end.next_cursor });
    const map = await api.createMap();
    expect(told(await readAll(api, { after: expired.body.latest_cursor }))).toEqual([['map.created', map.id]]);
  });

  test('[EVENTLOG-15] a page whose filter lets nothing through ends after 20,000 events and leads on', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const { id } = await api.createMap();
    const client = new SyncClient(api);
    const rename = (_: unknown, index: number) => client.next('update_map', { map_id: id, name: `N${index}` });
    for (let push = 0; push < 45; push++) await client.push(Array.from({ length: 500 }, rename));
    const { run } = await api.record(id);
    const query = '/api/v1/events?types=recording.received';
    const { body: page } = await api.get(query);
    expect([page.data, page.has_more]).toEqual([[], true]);
    const { body: next } = await api.get(`${query}&after=${page.next_cursor}`);
    expect(told(next.data)).toEqual([['recording.received', run.id]]);
  });
}
