import { expect, onTestFinished, test } from 'vitest';
import type { RunningServer } from '../../../server/app.ts';
import { eventStreamsPerDeviceMax, eventStreamsPerKeyMax } from '../../../shared/schema/limits.ts';
import { openEventReader } from '../event-reader.ts';
import { newApi, type GetServers } from '../fixture.ts';
import { pairedDevice } from '../pairing.ts';
import { protocol, SyncClient } from '../sync-client.ts';

export function eventsContract(servers: GetServers): void {
  test('[EVENTS-1] a stream tells the newest cursor at once and after each change', async () => {
    const api = await newApi(servers().first);
    const client = new SyncClient(api);
    await api.createMap();
    const stream = await openEventReader(api);
    expect(stream.headers.get('Content-Type')).toBe('text/event-stream');
    expect(stream.headers.get('Cache-Control')).toBe('no-store');
    expect(stream.headers.get('X-Accel-Buffering')).toBe('no');
    expect(await stream.next()).toBe((await client.pull()).body.cursor);
    for (let count = 0; count < 3; count++) {
      await api.createMap();
      expect(await stream.next()).toBe((await client.pull()).body.cursor);
    }
  });

  test('[EVENTS-10] a client that leaves while its stream is being opened leaves nothing behind', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const before = await openStreams(first);
    const { store } = first.services;
    const { token } = store;
    onTestFinished(() => void (store.token = token));
    let answer = () => {};
    const answering = new Promise<void>((resolve) => void (answer = resolve));
    const asked = new Promise<void>((resolve) => {
      store.token = async (key) => {
        resolve();
        await answering;
        return token(key);
      };
    });
    const leaving = new AbortController();
    const headers = { Authorization: `Bearer ${api.key}`, ...protocol, 'X-Request-Id': 'left-early' };
    const left = fetch(`${api.url}/api/v1/sync/events`, { headers, signal: leaving.signal });
    await asked;
    const closed = new Promise<void>((resolve) => void left.catch(() => resolve()));
    leaving.abort();
    await closed;
    // The answers to these later requests show that the server has read the stream's request.
    store.token = token;
    for (let count = 0; count < 5; count++) await api.get('/api/v1/maps');
    answer();
    // This stream opens and ends after the one above.
    const stream = await openEventReader(api);
    await stream.next();
    expect(await openStreams(first)).toBe(before + 1);
  });

  test('[EVENTS-11] [EVENTS-16] a device has 20 streams and no more, and takes none from others of its account', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const watch = await pairedDevice(first, api);
    const open = ({ key }: { key: string }) =>
      fetch(`${api.url}/api/v1/sync/events`, { headers: { Authorization: `Bearer ${key}`, ...protocol } });
    const opened = await Promise.all(Array.from({ length: eventStreamsPerDeviceMax + 5 }, () => open(watch)));
    const refused = opened.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(5);
    expect(await refused[0]!.json()).toMatchObject({ code: 'too_many_streams', limit: 20 });
    const others = await Promise.all(Array.from({ length: eventStreamsPerKeyMax + 5 }, () => open(api)));
    expect(others.filter(({ status }) => status === 200)).toHaveLength(100);
    expect(others.filter(({ status }) => status === 429)).toHaveLength(5);
    for (const { body } of [...opened, ...others]) if (!body?.locked) await body?.cancel();
  });

  test('[EVENTS-7] HEAD answers with the headers of a stream, ends and opens none', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const before = await openStreams(first);
    const head = await api.send('HEAD', '/api/v1/sync/events', { headers: protocol });
    expect([head.status, head.headers.get('Content-Type')]).toEqual([200, 'text/event-stream']);
    expect(head.headers.get('Cache-Control')).toBe('no-store');
    // Streams of other tests may end meanwhile.
    expect(await openStreams(first)).toBeLessThanOrEqual(before);
    for (const [path, type] of [
      ['/docs', 'text/html; charset=utf-8'],
      ['/docs/reference.css', 'text/css; charset=utf-8'],
    ] as const) {
      expect((await api.send('HEAD', path, {})).headers.get('Content-Type')).toBe(type);
    }
  });

  test('[EVENTS-2] a change that another server process made is told too', async () => {
    const { first, second } = servers();
    const api = await newApi(first);
    const stream = await openEventReader(api.at(second));
    const before = await stream.next();
    await api.createMap();
    const after = await stream.next();
    expect(after).not.toBe(before);
    expect(after).toBe((await new SyncClient(api).pull()).body.cursor);
  });

  test("[EVENTS-3] nobody hears of another account's changes", async () => {
    const { first } = servers();
    const [api, stranger] = [await newApi(first), await newApi(first)];
    const stream = await openEventReader(api);
    await stream.next();
    await stranger.createMap();
    await stranger.createMap();
    await api.createMap();
    expect(await stream.next()).toBe((await new SyncClient(api).pull()).body.cursor);
  });
}

async function openStreams({ url }: RunningServer): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^gemba_event_streams (\d+)$/m.exec(metrics)![1]);
}
