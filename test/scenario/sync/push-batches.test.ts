/** How a device divides its outbox into pushes, and what it remembers of them. */
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { deviceRowId, type DeviceBody } from '../../../client/storage/rows.ts';
import { testServer, type TestServer } from '../../device/test-server.ts';
import { copyDatabase, inDatabase } from '../../device/databases.ts';
import { atRest, current, device, network, manualSync } from '../../device/devices.ts';
import { folderJournal } from '../../device/disk-journal.ts';
import { newFolder } from '../../device/folder-journal.ts';
import { manualTimers } from '../../device/manual-timers.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

const largeRecording = (recording_session_id: string) => ({
  recording_session_id,
  steps: Array.from({ length: 10 }, (_, index) => ({
    stage_name: `Step ${index}`,
    order: index + 1,
    duration_secs: 1,
    notes: 'n'.repeat(9_000),
  })),
});

const headBytesMax = 1_000;

test('[SYNC-23] [SYNC-59] at most 896 KiB go at once, and half of them once the server says that they came too slowly', async () => {
  const net = network();
  const phone = await device({ url: server.url, token: await server.newAccount(), ...manualSync(net) });
  const { map_id } = await phone.createMap({ name: 'Saw' });
  await phone.sync();
  for (let nth = 0; nth < 24; nth++)
    await phone.importRecording({ mapId: map_id, recording: largeRecording(`s-${nth}`) });
  const sizes: number[] = [];
  const problem = { type: 'x', title: 'Slow', status: 408, code: 'request_timeout', detail: 'Too slow.' };
  net.answers('sync/push', (ask, { body }) => {
    const isEmpty = (JSON.parse(body) as { mutations: unknown[] }).mutations.length === 0;
    if (!isEmpty) sizes.push(body.length);
    const headers = { 'Content-Type': 'application/problem+json' };
    return sizes.length === 1 ? new Response(JSON.stringify(problem), { status: 408, headers }) : ask();
  });
  await phone.sync();
  expect(await current(phone.status$)).toMatchObject({ phase: 'waiting', pending: 24 });
  await phone.sync();
  const [first, second, ...others] = sizes as [number, number, ...number[]];
  expect(first).toBeGreaterThan(700 * 1024);
  expect(second).toBeLessThanOrEqual(first / 2 + headBytesMax);
  for (const size of [first, ...others]) expect(size).toBeLessThanOrEqual(896 * 1024 + headBytesMax);
  expect(Math.max(...others)).toBeGreaterThan(second);
  expect(await atRest(phone)).toMatchObject({ phase: 'idle', pending: 0, attention: 0 });
});

test('[SYNC-108] a push that waits for its answer leaves no hash of its mutations for later', async () => {
  const net = network();
  const timers = manualTimers();
  const options = { url: server.url, token: await server.newAccount(), ...manualSync(net), clock: timers.clock };
  const phone = await device(options);
  const { map_id } = await phone.createMap({ name: 'Saw' });
  await phone.sync();
  const recordings = 8;
  for (let nth = 0; nth < recordings; nth++)
    await phone.importRecording({ mapId: map_id, recording: largeRecording(`s-${nth}`) });
  const digest = vi.spyOn(crypto.subtle, 'digest');
  onTestFinished(() => digest.mockRestore());
  let hashedInPush = 0;
  net.answers('sync/push', async (ask) => {
    const answer = await ask();
    while (timers.has(0)) timers.fire(0);
    // Each mutation has a hash, and its place in the chain another one.
    await vi.waitUntil(() => digest.mock.calls.length >= 2 * recordings);
    hashedInPush = digest.mock.calls.length;
    return answer;
  });
  await phone.sync();
  expect(digest).toHaveBeenCalledTimes(hashedInPush);
  expect(await atRest(phone)).toMatchObject({ phase: 'idle', pending: 0 });
});

test('[DEVICE-11] a push says when it is sent, not when what it brings was made', async () => {
  const net = network(false);
  const asking = manualSync(net);
  let wall_ms = Date.UTC(2026, 3, 1);
  const clock = { ...asking.clock, wallMs: () => wall_ms };
  const phone = await device({ url: server.url, token: await server.newAccount(), ...asking, clock });
  await phone.createMap({ name: 'Saw' });
  wall_ms += 3_600_000;
  const sent: object[] = [];
  net.answers('sync/push', (ask, { body }) => {
    sent.push(JSON.parse(body) as object);
    return ask();
  });
  net.online = true;
  await phone.sync();
  expect(sent).toMatchObject([
    { sent_at: '2026-04-01T01:00:00.000Z', mutations: [{ recorded_at: '2026-04-01T00:00:00.000Z' }] },
  ]);
});

test('[STORAGE-15] a database that forgot only which numbers were offered counts as one of an earlier state', async () => {
  const net = network(false);
  const options = { url: server.url, token: await server.newAccount(), mirror: folderJournal(newFolder()) };
  const open = (name: string) => device({ ...options, name, ...manualSync(net) });
  const clientOf = (name: string) =>
    inDatabase(name, ({ outbox }) => Promise.resolve((outbox.get(deviceRowId) as DeviceBody).client_id));
  const before = await open('has-offered');
  await before.createMap({ name: 'Saw' });
  await before.close();
  await copyDatabase({ from: 'has-offered', to: 'forgot-what-it-offered' });
  const client = await clientOf('has-offered');
  const offering = await open('has-offered');
  net.answers('sync/push', () => Promise.reject(new TypeError('cut')));
  net.online = true;
  await offering.sync();
  await offering.close();

  const after = await open('forgot-what-it-offered');
  await after.close();
  expect(await clientOf('has-offered')).toBe(client);
  expect(await clientOf('forgot-what-it-offered')).not.toBe(client);
});
