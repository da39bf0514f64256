/** Photos that fail, are refused, or wait for another network. */
import { expect, test } from 'vitest';
import type { NetworkConnection } from '../../../client/client.ts';
import { current, device, eventually, network } from '../../device/devices.ts';
import { manualTimers } from '../../device/manual-timers.ts';
import { memoryFiles, picture, photoPlatform, sampleEncoder } from './photo-devices.ts';
import { problem, record, sent, start, waitingPhone } from './photo-phones.ts';

/** A network whose kind a test changes. */
function connectionOf(type: string): { connection: NetworkConnection; change(to: string): void } {
  const listeners = new Set<() => void>();
  const connection: NetworkConnection = {
    type,
    addEventListener: (_, listener) => void listeners.add(listener),
    removeEventListener: (_, listener) => void listeners.delete(listener),
  };
  const change = (to: string) => {
    connection.type = to;
    for (const listener of listeners) listener();
  };
  return { connection, change };
}

test('[PHOTO-50] a photo that the server refuses or the device lost holds up no other one', async () => {
  const { server, token, read } = await start();
  const net = network(false);
  const files = memoryFiles();
  const phone = await device({ url: server.url, token, fetch: net.fetch, photos: { encoder: sampleEncoder, files } });
  const { ids } = await record(
    phone,
    ['lost', 'refused', 'good', 'damaged'].map((seed) => picture(seed)),
  );
  const [lost, refused, good, damaged] = ids.map((id) => id.slice(7));
  files.stored.delete(lost!);
  files.stored.get(damaged!)!.content = picture('dAmaged');
  net.answers(`photos/sha256:${refused}/upload`, () => problem(422, 'photo_has_metadata'));
  net.online = true;
  await phone.sync();
  const shown = await eventually(phone.photos$, ({ lost: count }) => count === 2);
  expect(await sent(phone)).toMatchObject({ refused: 1, lost: 2, held_by: null });
  expect(shown.bytes).toBeLessThanOrEqual(3_000);
  expect((await read(`sha256:${good}`)).status).toBe(200);
  net.answers(`photos/sha256:${refused}/upload`, (ask) => ask());
  await phone.sendPhotosNow();
  await eventually(phone.photos$, ({ refused: count, pending }) => count === 0 && pending === 0);
  expect((await read(`sha256:${refused}`)).status).toBe(200);
});

test('[PHOTO-88] a photo whose last answer and file are gone is not told as lost, since the server has it', async () => {
  const { server, token, read } = await start();
  const net = network(false);
  const files = memoryFiles();
  const timers = manualTimers();
  const options = { url: server.url, token, fetch: net.fetch, clock: timers.clock, random: () => 0.5 };
  const phone = await device({ ...options, photos: { encoder: sampleEncoder, files } });
  const { ids } = await record(phone, [picture('kept'), picture('gone')]);
  const [kept, gone] = ids as [string, string];
  net.answers(`photos/${kept}/upload`, async (ask) => {
    await ask();
    files.stored.delete(kept.slice(7));
    throw new TypeError('cut off');
  });
  net.answers(`photos/${gone}/upload`, () => {
    files.stored.delete(gone.slice(7));
    throw new TypeError('cut off');
  });
  net.online = true;
  await phone.sync();
  await eventually(phone.photos$, ({ held_by }) => held_by === 'offline');
  await phone.retryPhotos();
  await expect.poll(() => files.stored.has(gone.slice(7))).toBe(false);
  for (const id of [kept, gone]) net.answers(`photos/${id}/upload`, (ask) => ask());
  await phone.retryPhotos();
  expect(await sent(phone)).toMatchObject({ lost: 1, refused: 0 });
  expect((await read(kept)).status).toBe(200);
});

test('[PHOTO-89] photos of a device that may not sync say that it may not', async () => {
  const { server, token } = await start();
  const net = network(false);
  const phone = await device({ url: server.url, token, fetch: net.fetch, photos: photoPlatform() });
  await record(phone, [picture('waits')]);
  net.answers('sync/push', () => problem(401, 'unauthorized'));
  net.answers('sync/pull', () => problem(401, 'unauthorized'));
  net.online = true;
  await phone.sync().catch(() => undefined);
  await eventually(phone.status$, ({ phase }) => phase === 'blocked');
  expect(await eventually(phone.photos$, ({ held_by }) => held_by !== 'offline')).toMatchObject({ held_by: 'blocked' });
});

test('[PHOTO-50] photos that something on the way never lets through hold up no other one', async () => {
  const { server, token, read } = await start();
  const net = network(false);
  const timers = manualTimers();
  const phone = await waitingPhone({ server, token }, net, timers);
  const seeds = ['virus 1', 'virus 2', 'virus 3', 'good'];
  const { ids } = await record(
    phone,
    seeds.map((seed) => picture(seed)),
  );
  for (const id of ids.slice(0, 3))
    net.answers(`photos/${id}/upload`, () => new Response('<h1>Blocked</h1>', { status: 403 }));
  net.online = true;
  await phone.sync();
  await expect
    .poll(async () => {
      timers.pass(60_000);
      return current(phone.photos$);
    })
    .toMatchObject({ pending: 3, refused: 0 });
  expect((await read(ids[3]!)).status).toBe(200);
});

test('[PHOTO-49] a full account and a server without photos are told apart, and asked again later', async () => {
  const { server, token, read } = await start();
  const net = network();
  const timers = manualTimers();
  let wallMs = Date.UTC(2026, 3, 1);
  const clock = { schedule: timers.clock.schedule, wallMs: () => wallMs };
  let refusal: Response | undefined = problem(403, 'photo_quota_reached');
  net.answers('photos', (ask) => refusal?.clone() ?? ask());
  const phone = await device({ url: server.url, token, fetch: net.fetch, clock, photos: photoPlatform() });
  const { ids } = await record(phone, [picture('a')]);
  await phone.sync();
  await eventually(phone.photos$, ({ held_by }) => held_by === 'quota');
  refusal = problem(501, 'photos_not_kept');
  await phone.sendPhotosNow();
  await eventually(phone.photos$, ({ held_by }) => held_by === 'server');
  refusal = undefined;
  wallMs += 61 * 60_000;
  await phone.createMap({ name: 'Later' });
  await phone.sync();
  await sent(phone);
  expect((await read(ids[0]!)).status).toBe(200);
});

test('[PHOTO-51] on a metered network thumbnails go and photos wait, until a person or another network sends them', async () => {
  const { server, token, read } = await start();
  const { connection, change } = connectionOf('cellular');
  const phone = await device({ url: server.url, token, photos: { ...photoPlatform(), connection } });
  const held = () => eventually(phone.photos$, ({ held_by, pending }) => held_by === 'metered' && pending === 1);
  const first = await record(phone, [picture('a')]);
  await held();
  await expect.poll(async () => (await read(first.ids[0]!, '?size=thumbnail')).status).toBe(200);
  expect((await read(first.ids[0]!)).status).toBe(404);
  await phone.sendPhotosNow();
  await sent(phone);
  expect((await read(first.ids[0]!)).status).toBe(200);
  await record(phone, [picture('b')]);
  await held();
  change('wifi');
  await sent(phone);
  await phone.setPhotoPolicy('ask');
  await record(phone, [picture('c')]);
  await held();
  await phone.setPhotoPolicy('always');
  await sent(phone);
  await expect(phone.setPhotoPolicy('never' as 'ask')).rejects.toMatchObject({ code: 'validation_failed' });
});

test('[PHOTO-86] trying again sends nothing that the policy holds back', async () => {
  const { server, token, read } = await start();
  const net = network();
  const { connection } = connectionOf('cellular');
  const phone = await device({
    url: server.url,
    token,
    fetch: net.fetch,
    photos: { ...photoPlatform(), connection },
  });
  const held = (by: string) => eventually(phone.photos$, ({ held_by }) => held_by === by);
  net.answers('photos', () => problem(403, 'photo_quota_reached'));
  const { ids } = await record(phone, [picture('a')]);
  await held('quota');
  net.answers('photos', (ask) => ask());
  await phone.retryPhotos();
  await expect.poll(async () => (await read(ids[0]!, '?size=thumbnail')).status).toBe(200);
  await held('metered');
  net.answers(`photos/${ids[0]}/upload`, () => problem(422, 'photo_has_metadata'));
  await phone.sendPhotosNow();
  await eventually(phone.photos$, ({ refused }) => refused === 1);
  net.answers(`photos/${ids[0]}/upload`, (ask) => ask());
  await phone.retryPhotos();
  await sent(phone);
  expect((await read(ids[0]!)).status).toBe(200);
});

test.each(['photo_quota_reached', 'internal_error'])(
  '[PHOTO-50] declarations that are refused with %s hold up no photo that is declared',
  async (code) => {
    const { server, token, read } = await start();
    const net = network();
    const phone = await device({ url: server.url, token, fetch: net.fetch, photos: photoPlatform() });
    await phone.setPhotoPolicy('ask');
    const [declared] = (await record(phone, [picture('declared')])).ids;
    await expect.poll(async () => (await read(declared!, '?size=thumbnail')).status).toBe(200);
    net.answers('photos', (ask, { body }) =>
      body.includes(declared!) ? ask() : problem(code === 'internal_error' ? 500 : 403, code),
    );
    await record(
      phone,
      ['a', 'b', 'c'].map((seed) => picture(seed)),
    );
    await eventually(phone.photos$, ({ pending }) => pending === 4);
    await phone.setPhotoPolicy('always');
    await expect.poll(async () => (await read(declared!)).status).toBe(200);
    expect(await eventually(phone.photos$, ({ pending }) => pending === 3)).toMatchObject({ refused: 0, lost: 0 });
  },
);

test('[PHOTO-49] a device that left a broken network for a metered one says that photos wait for another', async () => {
  const { server, token } = await start();
  const net = network();
  const { connection, change } = connectionOf('wifi');
  const photos = { ...photoPlatform(), connection };
  const phone = await device({ url: server.url, token, fetch: net.fetch, photos });
  await phone.setPhotoPolicy('ask');
  const [id] = (await record(phone, [picture('a')])).ids;
  await eventually(phone.photos$, ({ held_by }) => held_by === 'metered');
  net.answers(`photos/${id}/upload`, () => Promise.reject(new TypeError('no network')));
  await phone.setPhotoPolicy('wifi');
  await eventually(phone.photos$, ({ held_by }) => held_by === 'offline');
  change('cellular');
  expect(await eventually(phone.photos$, ({ held_by }) => held_by !== 'offline')).toMatchObject({ held_by: 'metered' });
});
