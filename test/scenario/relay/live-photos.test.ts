/** Photos of a device that syncs by way of a carrier. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { current, eventually } from '../../device/devices.ts';
import { manualTimers } from '../../device/manual-timers.ts';
import { testServer, type TestServer } from '../../device/test-server.ts';
import { memoryFiles, photographStep, photoPlatform, picture } from '../photos/photo-devices.ts';
import { hashOf } from '../photos/photo-phones.ts';
import { channelKinds } from './channels.ts';
import { newCarryingPhone, newWatch, type CarryingPhone, type Watch } from './watches.ts';

let server: TestServer;
beforeAll(async () => void (server = await testServer()));
afterAll(() => server.remove());

/** Connects both, and stays so until the watch is closed. */
function connect({ handOver, watch }: Watch, { carrier }: CarryingPhone) {
  const { near, far } = channelKinds['Node streams']!();
  const meeting = Promise.all([carrier.carry(near), handOver.handOver(far, { live: true })]);
  onTestFinished(async () => {
    await watch.close();
    await meeting;
  });
}

async function recordPhoto({ watch, mapId }: Watch, bytes: number): Promise<string> {
  const recording = await watch.startRecording({ mapId });
  const [id] = await photographStep(recording, 'Weld', [picture(crypto.randomUUID(), bytes)]);
  await recording.finish();
  return id!;
}

const statusOf = async ({ rest }: Watch, id: string, query = '') => (await rest.photo(id, query)).status;

test('[PHOTO-90] a gallery of photos that are awaited holds up no photo that is sent by way of a carrier', async () => {
  const watch = await newWatch(server, { photos: photoPlatform(), clock: manualTimers().clock });
  const phone = await newCarryingPhone(server);
  phone.net.online = true;
  await watch.watch.setPhotoPolicy('always');
  connect(watch, phone);
  const first = await recordPhoto(watch, 500);
  await expect.poll(() => statusOf(watch, first)).toBe(200);
  const reading = Array.from({ length: 20 }, (_, index) =>
    watch.watch.photo$(`sha256:${String(index).padStart(64, '0')}`, 'thumbnail').subscribe(),
  );
  const second = await recordPhoto(watch, 500);
  await expect.poll(() => statusOf(watch, second)).toBe(200);
  for (const one of reading) one.unsubscribe();
});

test('[RELAY-114] [RELAY-117] photos go by way of a carrier: thumbnails at once, and originals when a person says so', async () => {
  const files = memoryFiles();
  const timers = manualTimers();
  const watch = await newWatch(server, { photos: { ...photoPlatform(), files }, clock: timers.clock });
  const phone = await newCarryingPhone(server);
  phone.net.online = true;
  const id = await recordPhoto(watch, 1_500_000);
  connect(watch, phone);
  await expect.poll(() => statusOf(watch, id, '?size=thumbnail')).toBe(200);
  expect(await statusOf(watch, id)).toBe(404);
  expect(await current(watch.watch.photos$)).toMatchObject({ pending: 1, held_by: 'metered' });
  await watch.watch.sendPhotosNow();
  await expect
    .poll(() => {
      timers.pass(1_000);
      return statusOf(watch, id);
    })
    .toBe(200);
  await expect.poll(() => current(watch.watch.photos$)).toMatchObject({ pending: 0, held_by: null });
  const taken = files.stored.get(id.slice(7))!.content;
  files.stored.clear();
  const reading = eventually(watch.watch.photo$(id), (one) => one !== 'awaited');
  let read: Blob | 'awaited' = 'awaited';
  void reading.then((one) => (read = one));
  await expect
    .poll(() => {
      timers.pass(2_000);
      return read;
    })
    .toBeInstanceOf(Blob);
  expect(await hashOf((await reading) as Blob)).toBe(await hashOf(taken));
  expect(watch.net.online).toBe(false);
});
