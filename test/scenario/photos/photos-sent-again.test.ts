/** Photos that a server has no room for, asks to wait with, fails to take once, or that something on the way refuses. */
import { expect, test } from 'vitest';
import { current, device, eventually, network } from '../../device/devices.ts';
import { manualTimers } from '../../device/manual-timers.ts';
import { picture, photoPlatform } from './photo-devices.ts';
import { problem, record, sent, start, waitingPhone } from './photo-phones.ts';

test('[PHOTO-57] a device that is asked to wait sends no photo before, whatever fails', async () => {
  const { server, token } = await start();
  const net = network();
  const timers = manualTimers();
  let asked = 0;
  let isFull = true;
  net.answers('photos', (ask) => {
    asked++;
    const refused = problem(429, 'rate_limited');
    refused.headers.set('Retry-After', '30');
    return isFull ? refused : ask();
  });
  const phone = await waitingPhone({ server, token }, net, timers);
  await record(phone, [picture('a'), picture('b'), picture('c')]);
  await phone.sync();
  await expect.poll(() => asked).toBe(1);
  await expect.poll(() => timers.has(30_000)).toBe(true);
  // Neither a change nor its sync shortens the wait.
  await phone.createMap({ name: 'Meanwhile' });
  await phone.sync();
  await current(phone.photos$);
  expect(asked).toBe(1);
  isFull = false;
  timers.pass(30_000);
  await sent(phone);
});

test('[PHOTO-82] [PHOTO-85] a server that has no room for a while is asked ever less often, also while recordings are sent', async () => {
  const { server, token } = await start();
  const net = network();
  const timers = manualTimers();
  const phone = await waitingPhone({ server, token }, net, timers);
  const { ids } = await record(phone, [picture('a')]);
  let [asked, isFull] = [0, true];
  net.answers(`photos/${ids[0]}/upload`, (ask) => {
    asked++;
    const refused = problem(503, 'unavailable');
    refused.headers.set('Retry-After', '2');
    return isFull ? refused : ask();
  });
  await phone.sync();
  await expect.poll(() => asked).toBe(1);
  await eventually(phone.photos$, ({ held_by }) => held_by === 'retry');
  for (let at = 0; at < 30; at++) {
    timers.pass(2_000);
    if (at % 5 === 0) await phone.createMap({ name: `Meanwhile ${at}` });
    await phone.sync();
    await current(phone.photos$);
  }
  expect(asked).toBeLessThan(8);
  isFull = false;
  await expect
    .poll(() => {
      timers.pass(600_000);
      return current(phone.photos$);
    })
    .toMatchObject({ pending: 0, held_by: null });
});

test('[PHOTO-50] [PHOTO-85] one photo that fails once is sent soon, though the photos after it went well', async () => {
  const { server, token } = await start();
  const net = network();
  const timers = manualTimers();
  const phone = await waitingPhone({ server, token }, net, timers);
  const { ids } = await record(phone, [picture('a'), picture('b')]);
  let failures = 1;
  net.answers(`photos/${ids[0]}/upload`, (ask) => (failures-- > 0 ? problem(500, 'internal_error') : ask()));
  await phone.sync();
  await eventually(phone.photos$, ({ pending, held_by }) => pending === 1 && held_by === 'retry');
  await expect
    .poll(async () => {
      timers.pass(10_000);
      return current(phone.photos$);
    })
    .toMatchObject({ pending: 0 });
});

test('[PHOTO-83] a photo gets through a proxy that takes smaller bodies than the server', async () => {
  const { server, token, read } = await start();
  const refused: number[] = [];
  const fetchSmall: typeof fetch = async (input, init) => {
    if (!(init?.body instanceof Blob) || init.body.size <= 300_000) return fetch(input, init);
    refused.push(init.body.size);
    return new Response('<h1>413</h1>', { status: 413 });
  };
  const phone = await device({ url: server.url, token, fetch: fetchSmall, photos: photoPlatform() });
  const { ids } = await record(phone, [picture('large', 1_500_000)]);
  await phone.sync();
  await sent(phone);
  expect((await read(ids[0]!)).status).toBe(200);
  expect(refused).toEqual([1_048_576, 524_288]);
});

test('[PHOTO-85] photos wait for recordings that the server does not take', async () => {
  const { server, token } = await start();
  const net = network();
  const phone = await waitingPhone({ server, token }, net, manualTimers());
  net.answers('sync/push', () => problem(503, 'unavailable'));
  await record(phone, [picture('a')]);
  await phone.sync();
  expect(await eventually(phone.photos$, ({ held_by }) => held_by === 'sync')).toMatchObject({ pending: 1 });
  net.answers('sync/push', (ask) => ask());
  await phone.sync();
  expect(await sent(phone)).toMatchObject({ held_by: null });
});

test('[PHOTO-87] a photo whose requests break off without an answer holds up no other one', async () => {
  const { server, token, read } = await start();
  const net = network(false);
  const timers = manualTimers();
  const phone = await waitingPhone({ server, token }, net, timers);
  const { ids } = await record(phone, [picture('broken'), picture('good')]);
  net.answers(`photos/${ids[0]}/upload`, () => {
    throw new TypeError('the connection was reset');
  });
  net.online = true;
  await phone.sync();
  await expect
    .poll(async () => {
      timers.pass(60_000);
      return (await read(ids[1]!)).status;
    })
    .toBe(200);
});
