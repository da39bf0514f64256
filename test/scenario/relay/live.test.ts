/** A device syncs by way of a carrier that is online, as over a network. */
import { firstValueFrom } from 'rxjs';
import { filter } from 'rxjs/operators';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openHandOverTable } from '../../../client/hand-over/hand-over-table.ts';
import { openDeviceTables } from '../../../client/storage/device-tables.ts';
import { memoryStorage } from '../../device/devices.ts';
import { testServer, type TestServer } from '../../device/test-server.ts';
import { relayOf } from './carrying-phone.ts';
import { channelKinds } from './channels.ts';
import { newCarryingPhone, newWatch, type CarryingPhone, type Watch } from './watches.ts';

let server: TestServer;
beforeAll(async () => void (server = await testServer()));
afterAll(() => server.remove());

/** Connects both, and stays so until the watch is closed. */
function connect({ handOver, watch }: Watch, { carrier }: CarryingPhone, kind = 'Node streams') {
  const { near, far } = channelKinds[kind]!();
  const carrying = carrier.carry(near);
  const handing = handOver.handOver(far, { live: true });
  onTestFinished(async () => {
    await watch.close();
    await carrying;
  });
  return { handing, carrying };
}

const untilServer = ({ watch }: Watch, session: string) =>
  firstValueFrom(watch.custody$(session).pipe(filter((custody) => custody === 'server')));

test.each(Object.keys(channelKinds))(
  '[RELAY-56] over %s a watch syncs by way of a phone that is online, and nothing of it is stored on the way',
  async (kind) => {
    const storage = memoryStorage();
    const name = `watch-${crypto.randomUUID()}`;
    const watch = await newWatch(server, { storage, name });
    const phone = await newCarryingPhone(server);
    phone.net.online = true;
    const sessions = [await watch.record('Before')];
    connect(watch, phone, kind);
    await untilServer(watch, sessions[0]!);
    sessions.push(await watch.record('Beside it'));
    await untilServer(watch, sessions[1]!);
    await watch.rest.send('PATCH', `/maps/${watch.mapId}`, { name: 'Renamed' });
    await watch.watch.sync();
    expect(await firstValueFrom(watch.watch.maps$)).toMatchObject([{ name: 'Renamed' }]);
    expect(await firstValueFrom(watch.watch.status$)).toMatchObject({ phase: 'idle', pending: 0 });
    expect((await watch.runs()).map((run) => run.recording_session_id)).toEqual(sessions);
    expect(await firstValueFrom(phone.carrier.carrying$)).toMatchObject({ messages: 0 });
    await watch.watch.close();
    const clock = { schedule: () => () => {}, wallMs: Date.now };
    const tables = await openDeviceTables({ name, storage, clock });
    const rows = await (await openHandOverTable(tables, clock.schedule)).readAll();
    await tables.close();
    expect(rows.map(([, { kind: row }]) => row)).toEqual(['keys']);
  },
);

test('[RELAY-57] a watch hands over what is left when the phone loses its network, and goes on when that is back', async () => {
  const watch = await newWatch(server);
  const phone = await newCarryingPhone(server);
  phone.net.online = true;
  const sessions = [await watch.record('Live')];
  connect(watch, phone);
  await untilServer(watch, sessions[0]!);
  phone.net.online = false;
  sessions.push(await watch.record('Handed over'));
  await expect.poll(() => watch.custody(sessions[1]!)).toEqual({ custody: 'device', carriers: 1 });
  await expect.poll(() => firstValueFrom(phone.carrier.carrying$)).toMatchObject({ messages: 2 });
  phone.net.online = true;
  await phone.phone.sync();
  await untilServer(watch, sessions[1]!);
  sessions.push(await watch.record('Live again'));
  await untilServer(watch, sessions[2]!);
  expect((await watch.runs()).map((run) => run.recording_session_id)).toEqual(sessions);
  await expect.poll(() => firstValueFrom(phone.carrier.carrying$)).toMatchObject({ messages: 0 });
});

test('[RELAY-57] a watch whose channel goes keeps its work for the next one', async () => {
  const watch = await newWatch(server);
  const phone = await newCarryingPhone(server);
  phone.net.online = true;
  phone.net.answers('relay', () => new Promise(() => {}));
  const session = await watch.record();
  const { near, far } = channelKinds['Node streams']!();
  const asked = new Promise<void>((resolve) =>
    phone.net.answers('relay', () => {
      resolve();
      return new Promise(() => {});
    }),
  );
  void phone.carrier.carry(near);
  const handing = watch.handOver.handOver(far, { live: true });
  await asked;
  await phone.phone.close();
  expect(await handing).toMatchObject({ ended: 'lost' });
  expect(await watch.custody(session)).toEqual({ custody: 'device', carriers: 0 });
  const other = await newCarryingPhone(server);
  other.net.online = true;
  connect(watch, other);
  await untilServer(watch, session);
  expect(await watch.runs()).toHaveLength(1);
});

test('[RELAY-58] an answer that was changed on the way fails its request, and the next one gets through', async () => {
  const watch = await newWatch(server);
  const phone = await newCarryingPhone(server);
  phone.net.online = true;
  let changed = 0;
  phone.net.answers('relay', async (ask) => {
    const response = await ask();
    if (++changed > 3) return response;
    const bytes = new Uint8Array(await response.arrayBuffer());
    bytes.set([bytes.at(-1)! ^ 1], bytes.length - 1);
    return new Response(bytes, { headers: { 'Content-Type': 'message/ohttp-res' } });
  });
  const session = await watch.record();
  connect(watch, phone);
  await expect.poll(() => watch.watch.sync().then(() => changed)).toBeGreaterThan(3);
  await untilServer(watch, session);
  expect(await watch.runs()).toHaveLength(1);
});

test('[RELAY-119] a watch at two phones goes on by way of the first when the second leaves', async () => {
  const watch = await newWatch(server);
  const [first, second] = [await newCarryingPhone(server), await newCarryingPhone(server)];
  first.net.online = second.net.online = true;
  connect(watch, first);
  await untilServer(watch, await watch.record());
  const { handing } = connect(watch, second);
  await untilServer(watch, await watch.record());
  await watch.watch.sync();
  await second.phone.close();
  expect(await handing).toMatchObject({ ended: 'lost' });
  await untilServer(watch, await watch.record());
  expect(await watch.runs()).toHaveLength(3);
});

test('[RELAY-101] each device is told when the network of its phone is back, also when another one came meanwhile', async () => {
  const relay = await relayOf(server);
  const { device: first } = await relay.meet();
  const { id, sealed } = await relay.sealPush();
  await first.give(id, sealed);
  await expect
    .poll(async () => {
      await first.give(id, sealed, { to: 1 });
      return first.heardOnline.at(-1);
    })
    .toBe(false);
  relay.net.online = true;
  await relay.meet();
  await first.answer();
  await first.give(id, sealed, { to: 1 });
  expect(first.heardOnline.at(-1)).toBe(true);
});
