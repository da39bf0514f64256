/** Photos of finished recordings on their way from a device to the server. */
import { randomUUID } from 'node:crypto';
import { firstValueFrom } from 'rxjs';
import { filter } from 'rxjs/operators';
import { expect, test } from 'vitest';
import { current, device, eventually, memoryStorage, network } from '../../device/devices.ts';
import { manualTimers } from '../../device/manual-timers.ts';
import { memoryFiles, photographStep, picture, photoPlatform, sampleEncoder } from './photo-devices.ts';
import { hashOf, noteRequests, record, sent, start } from './photo-phones.ts';

test('[PHOTO-47] [PHOTO-49] photos are sent after the recording, thumbnails first, and stand on the server byte for byte', async () => {
  const { server, token, read, rest } = await start();
  const { options, requests } = noteRequests(network());
  const phone = await device({ url: server.url, token, ...options, photos: photoPlatform() });
  const pictures = [picture('a', 2_500_000), picture('b')];
  const { ids, run_id } = await record(phone, pictures);
  await eventually(phone.photos$, ({ pending }) => pending === 2);
  await sent(phone);
  for (const [index, id] of ids.entries()) {
    expect(await hashOf(await read(id))).toEqual(await hashOf(pictures[index]!));
    expect((await read(id, '?size=thumbnail')).status).toBe(200);
  }
  const { photo_objects } = await rest.get<{ photo_objects: object[] }>(`/runs/${run_id}`);
  expect(photo_objects).toMatchObject(ids.map((id) => ({ id, status: 'stored' })));
  const order = requests.map((request) => request.replace(ids[0]!, 'a').replace(ids[1]!, 'b'));
  expect(order.indexOf('POST photos')).toBeGreaterThan(order.indexOf('POST sync/push'));
  expect(order.filter((request) => request.includes('photos'))).toEqual([
    'POST photos',
    'POST photos',
    ...Array.from({ length: 3 }, () => 'PATCH photos/a/upload'),
    'PATCH photos/b/upload',
  ]);
  expect(await current(phone.photos$)).toEqual({
    pending: 0,
    bytes: 0,
    held_by: null,
    policy: 'wifi',
    refused: 0,
    lost: 0,
  });
});

test('[PHOTO-47] photos of a recording under way, and photos that were removed, are not sent', async () => {
  const { server, token, read } = await start();
  const phone = await device({ url: server.url, token, photos: photoPlatform() });
  const recording = await phone.startRecording({ newMap: { name: 'Saw' } });
  const [removed, kept] = await photographStep(recording, 'Cut', [picture('removed'), picture('kept')]);
  const { started_at } = (await current(phone.recording$))!.steps[0]!;
  await recording.removePhoto({ index: 0, started_at }, removed!);
  const other = await device({ url: server.url, token, photos: photoPlatform() });
  await record(other, [picture('other')]);
  await sent(other);
  await phone.sync();
  expect((await read(kept!)).status).toBe(404);
  await recording.finish();
  await eventually(phone.photos$, ({ pending }) => pending === 1);
  await sent(phone);
  expect((await read(kept!)).status).toBe(200);
  expect((await read(removed!)).status).toBe(404);
});

test('[PHOTO-48] a mutation that is made while a photo is sent goes first, and the photo goes on from its byte', async () => {
  const { server, token, read } = await start();
  const net = network();
  const { options, requests } = noteRequests(net);
  const photo = picture('large', 3_000_000);
  const phone = await device({ url: server.url, token, ...options, photos: photoPlatform() });
  let asked = 0;
  let isBrokenOff = false;
  let reached!: () => void;
  const atSecond = new Promise<void>((resolve) => (reached = resolve));
  const { ids } = await record(phone, [photo]);
  net.answers(`photos/${ids[0]}/upload`, async (ask, { signal }) => {
    if (++asked !== 2) return ask();
    reached();
    // The second piece hangs until the device gives it up.
    signal.addEventListener('abort', () => (isBrokenOff = true));
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  await atSecond;
  await phone.createMap({ name: 'Urgent' });
  await eventually(phone.status$, ({ pending }) => pending === 0);
  expect(isBrokenOff).toBe(true);
  expect(requests.filter((request) => request.startsWith('PATCH'))).toHaveLength(2);
  await sent(phone);
  expect(await hashOf(await read(ids[0]!))).toEqual(await hashOf(photo));
  // The piece that was broken off is the only one of three that was sent twice.
  expect(requests.filter((request) => request.startsWith('PATCH'))).toHaveLength(4);
});

test('[PHOTO-52] another device shows a photo once it is there', async () => {
  const { server, token } = await start();
  const net = network(false);
  const phone = await device({ url: server.url, token, fetch: net.fetch, photos: photoPlatform() });
  const timers = manualTimers();
  const desk = await device({ url: server.url, token, kind: 'desk', clock: timers.clock, photos: photoPlatform() });
  const { ids } = await record(phone, [picture('a')]);
  const shown: unknown[] = [];
  const watching = desk.photo$(ids[0]!).subscribe((photo) => shown.push(photo));
  await expect.poll(() => shown).toEqual(['awaited']);
  net.online = true;
  await phone.sync();
  await sent(phone);
  timers.pass(60_000);
  await expect.poll(() => shown.length).toBe(2);
  expect(await hashOf(shown[1] as Blob)).toEqual(await hashOf(picture('a')));
  expect(watching.closed).toBe(true);
  const thumbnail = await eventually(desk.photo$(ids[0]!, 'thumbnail'), (photo) => photo !== 'awaited');
  expect(thumbnail).toBeInstanceOf(Blob);
  await expect(firstValueFrom(desk.photo$('sha256:x'))).rejects.toMatchObject({ code: 'validation_failed' });
});

test('[PHOTO-53] photos leave the device a week after they were stored, and a day after nothing kept them', async () => {
  const { server, token } = await start();
  let wallMs = Date.UTC(2026, 3, 1);
  const clock = { wallMs: () => wallMs };
  const [storage, files, name] = [memoryStorage(), memoryFiles(() => wallMs), `device-${randomUUID()}`];
  const open = () =>
    device({ url: server.url, token, name, storage, clock, photos: { encoder: sampleEncoder, files } });
  let phone = await open();
  const { ids } = await record(phone, [picture('kept')]);
  await sent(phone);
  const recording = await phone.startRecording({ newMap: { name: 'Next' } });
  await photographStep(recording, 'Cut', [picture('undone')]);
  await recording.undo();
  await recording.finish();
  files.stored.set('f'.repeat(64), { content: picture('of no row'), writtenMs: wallMs });
  const reopenAfter = async (days: number) => {
    await phone.close();
    wallMs += days * 86_400_000 + 1_000;
    phone = await open();
    await current(phone.photos$);
  };
  expect(files.stored.size).toBe(5);
  await reopenAfter(1);
  expect([...files.stored.keys()].toSorted()).toEqual([ids[0]!.slice(7), `${ids[0]!.slice(7)}.thumbnail`].toSorted());
  await reopenAfter(6);
  expect(files.stored.size).toBe(0);
  expect(await firstValueFrom(phone.photo$(ids[0]!).pipe(filter((photo) => photo !== 'awaited')))).toBeInstanceOf(Blob);
});

test('[PHOTO-54] a device that closes in the middle of a photo goes on from its byte when it opens again', async () => {
  const { server, token, read } = await start();
  const net = network();
  const { options, requests } = noteRequests(net);
  const [storage, name] = [memoryStorage(), `device-${randomUUID()}`];
  const photo = picture('large', 3_000_000);
  // Here the rows of the storage have the bytes, too.
  const open = () => device({ url: server.url, token, name, storage, ...options, photos: { encoder: sampleEncoder } });
  let phone = await open();
  let reached!: () => void;
  const atSecond = new Promise<void>((resolve) => (reached = resolve));
  const { ids } = await record(phone, [photo]);
  let asked = 0;
  net.answers(`photos/${ids[0]}/upload`, async (ask, { signal }) => {
    if (++asked !== 2) return ask();
    reached();
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  await atSecond;
  await phone.close();
  const before = requests.filter((request) => request.startsWith('PATCH')).length;
  phone = await open();
  // Nothing asks for photos here: the device finds by itself that it has some.
  await expect.poll(async () => (await read(ids[0]!)).status).toBe(200);
  expect(await hashOf(await read(ids[0]!))).toEqual(await hashOf(photo));
  expect(requests.filter((request) => request.startsWith('PATCH')).length - before).toBe(2);
});

test('[PHOTO-53] a photo that was not sent stays on the device, however long that takes', async () => {
  const { server, token, read } = await start();
  const net = network(false);
  let wallMs = Date.UTC(2026, 3, 1);
  const clock = { wallMs: () => wallMs };
  const [storage, files, name] = [memoryStorage(), memoryFiles(() => wallMs), `device-${randomUUID()}`];
  const photos = { encoder: sampleEncoder, files };
  const open = () => device({ url: server.url, token, name, storage, clock, fetch: net.fetch, photos });
  const first = await open();
  const { ids } = await record(first, [picture('late')]);
  await eventually(first.photos$, ({ pending }) => pending === 1);
  await first.close();
  wallMs += 40 * 86_400_000;
  const second = await open();
  await current(second.photos$);
  net.online = true;
  await second.sync();
  await sent(second);
  expect((await read(ids[0]!)).status).toBe(200);
});

test('[PHOTO-53] a photo stays if its recording was moved only after days, because the app was closed in the undo time', async () => {
  const { server, token, read } = await start();
  const net = network(false);
  let wallMs = Date.UTC(2026, 3, 1);
  const clock = { wallMs: () => wallMs, monotonicMs: () => wallMs };
  const photos = { encoder: sampleEncoder, files: memoryFiles(() => wallMs) };
  const [storage, name] = [memoryStorage(), `device-${randomUUID()}`];
  const open = () => device({ url: server.url, token, name, storage, clock, fetch: net.fetch, photos });
  const first = await open();
  const recording = await first.startRecording({ newMap: { name: 'Friday' } });
  const [id] = await photographStep(recording, 'Cut', [picture('friday')]);
  await recording.finish({ undoMs: 10_000 });
  await first.close();
  wallMs += 3 * 86_400_000;
  const second = await open();
  net.online = true;
  await second.sync();
  await expect.poll(async () => (await read(id!)).status).toBe(200);
});
