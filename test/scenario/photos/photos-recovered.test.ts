/** Photos that were nearly lost: by a server that died or was restored, by a device that lost a part of its own. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openServer } from '../../../server/app.ts';
import { backUpDatabase } from '../../../server/backup/backup.ts';
import { restoreDatabase } from '../../../server/backup/restore.ts';
import type { Mirror } from '../../../client/client.ts';
import { current, device, eventually, memoryStorage, network } from '../../device/devices.ts';
import { manualTimers } from '../../device/manual-timers.ts';
import { accountMaker, operatorToken } from '../../device/test-server.ts';
import { memoryFiles, photographStep, picture, photoPlatform, sampleEncoder } from './photo-devices.ts';
import { hashOf, record, sent, start, waitingPhone } from './photo-phones.ts';

test('[PHOTO-55] a photo is stored when the server says so, and not when the server has all its bytes', async () => {
  const { server, token, read } = await start();
  const net = network();
  const timers = manualTimers();
  let isVerified = false;
  let declarations = 0;
  net.answers('photos', async (ask, { body: declaration }) => {
    const response = await ask();
    declarations++;
    if (isVerified) return response;
    const { bytes } = JSON.parse(declaration) as { bytes: number };
    return Response.json(
      { ...((await response.json()) as object), status: 'uploading', offset: bytes },
      { status: 200 },
    );
  });
  const phone = await waitingPhone({ server, token }, net, timers);
  const { ids } = await record(phone, [picture('whole')]);
  net.answers(`photos/${ids[0]}/upload`, (ask) =>
    isVerified ? ask() : new Response(null, { status: 409, headers: { 'Upload-Offset': '99999' } }),
  );
  await phone.sync();
  const passAndLook = async () => {
    timers.pass(600_000);
    return current(phone.photos$);
  };
  await expect.poll(() => passAndLook().then(() => declarations)).toBeGreaterThan(3);
  expect(await passAndLook()).toMatchObject({ pending: 1 });
  isVerified = true;
  await expect.poll(passAndLook).toMatchObject({ pending: 0 });
  expect((await read(ids[0]!)).status).toBe(200);
});

test('[PHOTO-56] a server that was restored to before a photo gets it again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gemba-photo-restore-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [dataDir, restoredDir] = [join(folder, 'data'), join(folder, 'restored')];
  const open = (ofData: string) =>
    openServer({ dataDir: ofData, port: 0, host: '127.0.0.1', adminToken: operatorToken });
  let server = await open(dataDir);
  onTestFinished(() => server.close());
  const { url } = server;
  const token = await accountMaker(url)();
  const net = network();
  const fetchCurrent: typeof fetch = (input, init) => net.fetch(String(input).replace(url, server.url), init);
  const phone = await device({ url, token, fetch: fetchCurrent, photos: photoPlatform() });
  await record(phone, [picture('before')]);
  await sent(phone);
  expect(await backUpDatabase(dataDir, join(folder, 'backup'))).toMatchObject({ ok: true });
  const { ids } = await record(phone, [picture('after')]);
  await sent(phone);
  net.online = false;
  await server.close();
  const restored = await restoreDatabase({ from: join(folder, 'backup'), dataDir: restoredDir, now: new Date() });
  expect(restored).toMatchObject({ ok: true, accounts: 1 });
  server = await open(restoredDir);
  net.online = true;
  await phone.sync();
  await eventually(phone.photos$, ({ pending }) => pending === 2);
  await sent(phone);
  const headers = { Authorization: `Bearer ${token}` };
  const again = await fetch(`${server.url}/api/v1/photos/${ids[0]}`, { headers });
  expect(await hashOf(again)).toBe(await hashOf(picture('after')));
});

test('[PHOTO-58] a photo whose file was away is sent when it is back', async () => {
  const { server, token } = await start();
  const net = network(false);
  const files = memoryFiles();
  const [storage, name] = [memoryStorage(), `device-${randomUUID()}`];
  const open = (given = files) =>
    device({
      url: server.url,
      token,
      name,
      storage,
      fetch: net.fetch,
      photos: { encoder: sampleEncoder, files: given },
    });
  const first = await open();
  await record(first, [picture('a')]);
  await first.close();
  const without = await open(memoryFiles());
  expect(await current(without.photos$)).toMatchObject({ pending: 0, lost: 1 });
  await without.close();
  const again = await open();
  expect(await current(again.photos$)).toMatchObject({ pending: 1, lost: 0 });
  net.online = true;
  await again.sync();
  await sent(again);
});

test('[PHOTO-58] a photo whose file came back is sent by itself after a day at most', async () => {
  const { server, token, read } = await start();
  const net = network(false);
  const [files, timers] = [memoryFiles(), manualTimers()];
  const photos = { encoder: sampleEncoder, files };
  const phone = await device({ url: server.url, token, fetch: net.fetch, clock: timers.clock, photos });
  const { ids } = await record(phone, [picture('a')]);
  const kept = [...files.stored];
  files.stored.clear();
  net.online = true;
  await phone.sync();
  await eventually(phone.photos$, ({ lost }) => lost === 1);
  for (const [name, file] of kept) files.stored.set(name, file);
  timers.pass(86_400_000);
  await eventually(phone.photos$, ({ lost, pending }) => lost + pending === 0);
  expect((await read(ids[0]!)).status).toBe(200);
});

test('[PHOTO-80] a photo that the device lost is told for 30 days after it was taken', async () => {
  const { server, token } = await start();
  let wallMs = Date.UTC(2026, 3, 1);
  const [storage, name] = [memoryStorage(), `device-${randomUUID()}`];
  const clock = { wallMs: () => wallMs };
  const openWithout = () =>
    device({ url: server.url, token, name, storage, clock, fetch: network(false).fetch, photos: photoPlatform() });
  let phone = await openWithout();
  await record(phone, [picture('a')]);
  await eventually(phone.photos$, ({ pending }) => pending === 1);
  const lostAfter = async (days: number) => {
    await phone.close();
    wallMs += days * 86_400_000;
    phone = await openWithout();
    return (await current(phone.photos$)).lost;
  };
  expect(await lostAfter(1)).toBe(1);
  expect(await lostAfter(28)).toBe(1);
  expect(await lostAfter(2)).toBe(0);
});

test('[PHOTO-58] a photo whose row was lost is sent, since a recording of the device refers to it', async () => {
  const { server, token, read } = await start();
  const net = network(false);
  const files = memoryFiles();
  const photos = { encoder: sampleEncoder, files };
  const phone = await device({ url: server.url, token, fetch: net.fetch, photos });
  const recording = await phone.startRecording({ newMap: { name: 'Saw' } });
  const ids = await photographStep(recording, 'Cut', [picture('a')]);
  await recording.finish();
  const unsent = await phone.exportUnsent();
  // Another database of the same phone has the recording and the files, and no rows of photos.
  const restored = await device({ url: server.url, token, photos });
  await restored.importUnsent(unsent);
  await restored.sendPhotosNow();
  await expect.poll(async () => (await read(ids[0]!)).status).toBe(200);
});

test.each([
  ['with a network', true],
  ['on a phone that was opened without one', false],
])(
  '[PHOTO-59] photos that the server has give way to a recording where the space is short, %s',
  async (_, isOnline) => {
    const { server, token } = await start();
    const files = memoryFiles();
    const used = () => [...files.stored.values()].reduce((sum, { content }) => sum + content.size, 0);
    const mirror: Mirror = {
      exists: () => Promise.resolve(false),
      write: () => Promise.resolve(),
      exchange: async (decide) => void (await decide(new Map())),
      giveUp: () => {},
      hasRoom: (bytes) => Promise.resolve(used() + bytes <= 65 * 1024 * 1024),
    };
    const timers = manualTimers();
    const photos = { encoder: sampleEncoder, files };
    const [net, storage, name] = [network(), memoryStorage(), `device-${randomUUID()}`];
    const open = () =>
      device({ url: server.url, token, name, storage, mirror, fetch: net.fetch, clock: timers.clock, photos });
    const before = await open();
    await record(before, [picture('large', 2_000_000)]);
    await sent(before);
    await before.close();
    net.online = isOnline;
    const phone = await open();
    expect(used()).toBeGreaterThan(2_000_000);
    // A device asks for its room now and then.
    timers.pass(600_000);
    await phone.startRecording({ newMap: { name: 'Next' } });
    expect(used()).toBe(0);
  },
);
