import { expect, test } from 'vitest';
import type { RunningServer } from '../../server/app.ts';
import type { GetServers } from './contract.ts';
import { listen } from './event-reader.ts';
import { newApi } from './fixture.ts';
import { protocol, SyncClient } from './sync-client.ts';

export function eventsContract(servers: GetServers): void {
  test('[EVENTS-1] a stream tells the newest cursor at once and after each change', async () => {
    const api = await newApi(servers().first);
    const client = new SyncClient(api);
    await api.createMap();
    const stream = await listen(api);
    expect(stream.headers.get('Content-Type')).toBe('text/event-stream');
    expect(stream.headers.get('Cache-Control')).toBe('no-store');
    expect(stream.headers.get('X-Accel-Buffering')).toBe('no');
    expect(await stream.next()).toBe((await client.pull()).body.cursor);
    for (let count = 0; count < 3; count++) {
      await api.createMap();
      expect(await stream.next()).toBe((await client.pull()).body.cursor);
    }
  });

  test('[EVENTS-7] HEAD answers with the headers of a stream, ends and opens none', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const before = await openStreams(first);
    const head = await api.send('HEAD', '/api/v1/sync/events', { headers: protocol });
    expect([head.status, head.headers.get('Content-Type')]).toEqual([200, 'text/event-stream']);
    expect(head.headers.get('Cache-Control')).toBe('no-store');
    // Those of other tests may end meanwhile.
    expect(await openStreams(first)).toBeLessThanOrEqual(before);
    for (const [path, type] of [
      ['/docs', 'text/html; charset=utf-8'],
      ['/docs/style.css', 'text/css; charset=utf-8'],
    ] as const) {
      expect((await api.send('HEAD', path, {})).headers.get('Content-Type')).toBe(type);
    }
  });

  test('[EVENTS-2] a change that another server process made is told too', async () => {
    const { first, second } = servers();
    const api = await newApi(first);
    const stream = await listen(api.at(second));
    const before = await stream.next();
    await api.createMap();
    const after = await stream.next();
    expect(after).not.toBe(before);
    expect(after).toBe((await new SyncClient(api).pull()).body.cursor);
  });

  test("[EVENTS-3] nobody hears of another account's changes", async () => {
    const { first } = servers();
    const [api, stranger] = [await newApi(first), await newApi(first)];
    const stream = await listen(api);
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
