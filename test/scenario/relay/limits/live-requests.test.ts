/** A device sends each request by way of its carrier or, where the carrier does not take it, over its own network. */
import { expect, onTestFinished, test } from 'vitest';
import { LiveFailures } from '../../../../client/hand-over/live/live-failures.ts';
import { DeviceChannel } from '../../../../client/hand-over/device-channel.ts';
import { openHandOverTable } from '../../../../client/hand-over/hand-over-table.ts';
import { LiveFetch } from '../../../../client/hand-over/live/live-fetch.ts';
import { RelayKeys } from '../../../../client/hand-over/relay-keys.ts';
import { FrameLink } from '../../../../client/relay/frame-link.ts';
import { openDeviceTables } from '../../../../client/storage/device-tables.ts';
import { toBase64url } from '../../../../shared/relay/base64url.ts';
import type { Frame } from '../../../../shared/relay/frames.ts';
import { aeadIds, encodeKeyList } from '../../../../shared/relay/key-list.ts';
import { deriveKeyPair } from '../../../../shared/relay/key-pair.ts';
import { memoryStorage } from '../../../device/devices.ts';
import { handClock } from './hand-clock.ts';

const url = 'http://server';

/** The carrier takes each frame once `taken` resolves. */
async function liveDevice({
  hasKeys,
  taken,
  network = async () => new Response('by its own network'),
}: {
  hasKeys: boolean;
  taken?: Promise<void>;
  network?: () => Promise<Response>;
}) {
  const clock = { ...handClock(), wallMs: () => 0 };
  const tables = await openDeviceTables({ name: `watch-${crypto.randomUUID()}`, storage: memoryStorage(), clock });
  onTestFinished(() => tables.close());
  const table = await openHandOverTable(tables, clock.schedule);
  const keys = new RelayKeys({ table, url, fetch: network, clock });
  const { publicKey } = await deriveKeyPair('x25519', crypto.getRandomValues(new Uint8Array(64)));
  const list = encodeKeyList([{ id: 1, kem: 'x25519', bytes: publicKey, aeads: aeadIds }]);
  if (hasKeys) await keys.remember(toBase64url(list));
  const failures = new LiveFailures();
  const asked: Frame[] = [];
  const marked: string[] = [];
  const open = () =>
    new LiveFetch({
      keys,
      url,
      network,
      failures,
      schedule: clock.schedule,
      send: async (frame) => {
        if (frame.type === 'photo') marked.push(frame.id);
        if (frame.type !== 'ask') return;
        asked.push(frame);
        await taken;
      },
      onClosed: () => {},
    });
  return { open, failures, asked, marked, clock };
}

const idOf = (frame: Frame): string => ('id' in frame ? (frame.id ?? '') : '');

test('[RELAY-77] a device that has no key of its server asks over its own network', async () => {
  const { open, asked } = await liveDevice({ hasKeys: false });
  const answer = await open().fetch(`${url}/api/v1/sync/pull`);
  expect(await answer.text()).toBe('by its own network');
  expect(asked).toEqual([]);
});

test('[RELAY-78] a carrier that leaves requests without an answer has failed, and one that loses its network has not', async () => {
  const { open, failures, asked, clock } = await liveDevice({ hasKeys: true });
  const ask = async (end: (live: LiveFetch) => void) => {
    const live = open();
    const before = asked.length;
    const answer = live.fetch(`${url}/api/v1/sync/pull`);
    await expect.poll(() => asked.length).toBe(before + 1);
    end(live);
    expect(await (await answer).text()).toBe('by its own network');
  };
  for (let meeting = 0; meeting < 3; meeting++) await ask((live) => live.close());
  expect(failures.areTooMany).toBe(false);
  for (let meeting = 0; meeting < 3; meeting++) await ask(() => clock.advance(60_000));
  expect(failures.areTooMany).toBe(true);
});

test('[RELAY-115] a carrier that fails 3 requests for photos gets no more of these, and still gets the others', async () => {
  const { open, failures, asked, clock } = await liveDevice({ hasKeys: true });
  const live = open();
  const readPhoto = () => live.fetch(`${url}/api/v1/photos/sha256:${'0'.repeat(64)}`);
  for (let request = 0; request < 3; request++) {
    const answer = readPhoto();
    await expect.poll(() => asked.length).toBe(request + 1);
    clock.advance(60_000);
    expect(await (await answer).text()).toBe('by its own network');
    // The next one waits for the place of this one.
    clock.advance(120_000);
  }
  expect(await (await readPhoto()).text()).toBe('by its own network');
  expect([asked.length, failures.areTooMany]).toEqual([3, false]);
  const answer = live.fetch(`${url}/api/v1/sync/pull`);
  await expect.poll(() => asked.length).toBe(4);
  live.close();
  await answer;
});

test('[RELAY-115] a photo that is given up makes way at once', async () => {
  let take = () => {};
  const taken = new Promise<void>((resolve) => (take = resolve));
  const { open, asked } = await liveDevice({ hasKeys: true, taken });
  const live = open();
  const givenUp = new AbortController();
  const piece = { method: 'PATCH', body: new Uint8Array(1_000_000), signal: givenUp.signal };
  const answer = live.fetch(`${url}/api/v1/photos/sha256:${'0'.repeat(64)}/upload`, piece);
  await expect.poll(() => asked.length).toBe(1);
  givenUp.abort();
  await expect(answer).rejects.toThrow();
  const pulled = live.fetch(`${url}/api/v1/sync/pull`);
  take();
  await expect.poll(() => asked.length).toBe(2);
  expect(new Set(asked.map((frame) => 'id' in frame && frame.id)).size).toBe(2);
  live.close();
  await pulled;
});

test('[RELAY-120] a photo that was given up keeps its place until the carrier fails it or 2 minutes are over', async () => {
  const { open, asked, clock } = await liveDevice({ hasKeys: true });
  const live = open();
  const total = 10_000;
  const sendPhoto = (signal?: AbortSignal) =>
    live.fetch(`${url}/api/v1/photos/sha256:${'0'.repeat(64)}/upload`, {
      method: 'PATCH',
      body: new Uint8Array(total),
      ...(signal ? { signal } : {}),
    });
  const sizes = () => asked.map((frame) => ('total' in frame && frame.total > total ? 'photo' : 'pull'));
  for (const leave of [() => live.fail(idOf(asked[0]!), 'later'), () => clock.advance(120_000)]) {
    asked.length = 0;
    const givenUp = new AbortController();
    const first = sendPhoto(givenUp.signal);
    await expect.poll(sizes).toEqual(['photo']);
    givenUp.abort();
    await expect(first).rejects.toThrow();
    const second = new AbortController();
    const waiting = sendPhoto(second.signal);
    const pulled = live.fetch(`${url}/api/v1/sync/pull`);
    await expect.poll(sizes).toEqual(['photo', 'pull']);
    leave();
    await expect.poll(sizes).toEqual(['photo', 'pull', 'photo']);
    second.abort();
    await expect(waiting).rejects.toThrow();
    for (const frame of asked) live.fail(idOf(frame), 'later');
    await pulled;
  }
});

test('[RELAY-120] a photo that was given up before the carrier had all of it leaves its turn at once', async () => {
  let take = () => {};
  const taken = new Promise<void>((resolve) => (take = resolve));
  const { open, asked } = await liveDevice({ hasKeys: true, taken });
  const live = open();
  const address = `${url}/api/v1/photos/sha256:${'0'.repeat(64)}/upload`;
  const givenUp = new AbortController();
  const piece = live.fetch(address, { method: 'PATCH', body: new Uint8Array(1_000_000), signal: givenUp.signal });
  await expect.poll(() => asked.length).toBe(1);
  givenUp.abort();
  await expect(piece).rejects.toThrow();
  take();
  const next = live.fetch(address, { method: 'HEAD' });
  await expect.poll(() => asked.length).toBe(2);
  live.close();
  await next;
});

test('[RELAY-122] a photo that fails as busy lets photos wait a minute, and says so where there is no other network', async () => {
  const { open, asked, failures, clock } = await liveDevice({
    hasKeys: true,
    network: () => Promise.reject(new TypeError('lost')),
  });
  const live = open();
  const readPhoto = () => live.fetch(`${url}/api/v1/photos/sha256:${'0'.repeat(64)}`);
  const first = readPhoto();
  await expect.poll(() => asked.length).toBe(1);
  live.fail(idOf(asked[0]!), 'busy');
  for (const answer of [await first, await readPhoto()]) {
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([429, '60']);
  }
  expect([asked.length, failures.areTooManyOf('photo'), failures.areTooMany]).toEqual([1, false, false]);
  clock.advance(60_000);
  const next = readPhoto();
  await expect.poll(() => asked.length).toBe(2);
  live.close();
  await expect(next).rejects.toThrow();
});

test('[RELAY-122] a carrier that has no place for recordings has not failed, but is left after 12 in a row', async () => {
  const { open, asked, failures } = await liveDevice({ hasKeys: true });
  const live = open();
  for (let request = 0; request < 12; request++) {
    expect(failures.areTooMany).toBe(false);
    const answer = live.fetch(`${url}/api/v1/sync/pull`);
    await expect.poll(() => asked.length).toBe(request + 1);
    live.fail(idOf(asked[request]!), 'busy');
    await answer;
  }
  expect([failures.areTooMany, live.isClosed]).toEqual([true, true]);
});

test('[RELAY-122] a device says of each photo that it is one', async () => {
  const { open, asked, marked } = await liveDevice({ hasKeys: true });
  const live = open();
  const answers = [live.fetch(`${url}/api/v1/sync/pull`)];
  await expect.poll(() => asked.length).toBe(1);
  answers.push(live.fetch(`${url}/api/v1/photos/sha256:${'0'.repeat(64)}`));
  await expect.poll(() => asked.length).toBe(2);
  expect(marked).toEqual([idOf(asked[1]!)]);
  live.close();
  await Promise.all(answers);
});

test('[RELAY-123] a request goes in parts of 16 KiB', async () => {
  const { open, asked } = await liveDevice({ hasKeys: true });
  const live = open();
  const piece = { method: 'PATCH', body: new Uint8Array(20_000) };
  const answer = live.fetch(`${url}/api/v1/photos/sha256:${'0'.repeat(64)}/upload`, piece);
  await expect.poll(() => asked.length).toBe(2);
  expect(asked[0]).toMatchObject({ offset: 0, bytes: { length: 16_384 } });
  live.close();
  await answer;
});

test('[RELAY-47] a carrier that takes nothing ends a live meeting', async () => {
  const clock = handClock();
  const readable = new ReadableStream<Uint8Array>();
  const writable = new WritableStream<Uint8Array>({ write: () => new Promise(() => {}) });
  const channel = new DeviceChannel(new FrameLink({ readable, writable }, clock.schedule));
  const frame = { type: 'kept', id: '00'.repeat(16) } as const;
  for (let sent = 0; sent < 256; sent++) channel.send(frame);
  channel.keepAlive(frame, clock.schedule);
  const next = channel.next();
  clock.advance(10_000);
  await expect(next).rejects.toMatchObject({ code: 'lost' });
});
