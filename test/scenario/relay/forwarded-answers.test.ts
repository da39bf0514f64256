/** Work that another device made, imported by one that meets carriers alone: what the answers to it prove. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { current, device as openDevice, manualSync, network } from '../../device/devices.ts';
import { createHandOver } from '../../../client/client.ts';
import type { RunRecord } from '../../../shared/schema/run.ts';
import { copyDatabase } from '../../device/databases.ts';
import { recordingOf } from '../../device/phones.ts';
import { restClient, testServer, type TestServer } from '../../device/test-server.ts';
import { deliver, meet, newCarryingPhone, newWatch, type CarryingPhone, type Watch } from './watches.ts';

let server: TestServer;
beforeAll(async () => void (server = await testServer()));
afterAll(() => server.remove());

/** Gives the device a map that another device of its account made without a network. */
async function importMap({ watch, rest }: Watch): Promise<string> {
  const net = network();
  const maker = await openDevice({ url: server.url, ...manualSync(net) });
  const { body } = await rest.send<{ code: string }>('POST', '/auth/pairing-code', { device_kind: 'phone' });
  await maker.pair(body.code, 'Maker');
  await maker.sync();
  net.online = false;
  const { map_id } = await maker.createMap({ name: 'Saw' });
  await watch.importUnsent(await maker.exportUnsent());
  return map_id;
}

/** Lets the server answer this many of the phone's messages, and decline the others for now. */
async function deliverOnly(phone: CarryingPhone, answered: number): Promise<void> {
  let requests = 0;
  phone.net.answers('relay', (ask) => (++requests <= answered ? ask() : new Response('', { status: 503 })));
  phone.net.online = true;
  await phone.phone.sync();
  await expect.poll(() => requests).toBeGreaterThan(answered);
  phone.net.online = false;
}

const namesOf = async ({ watch }: Watch) => (await current(watch.maps$)).map(({ name }) => name).toSorted();
const pendingOf = async ({ watch }: Watch) => (await current(watch.status$)).pending;

test('[RELAY-125] a pull that the server answered before forwarded work does not take the work from the screen', async () => {
  const device = await newWatch(server, { kind: 'phone' });
  const [early, late] = [await newCarryingPhone(server), await newCarryingPhone(server)];
  await meet(device, early);
  let pulls = 0;
  early.net.answers('relay', async (ask) => {
    const answer = await ask();
    pulls++;
    return answer;
  });
  await deliver(early);
  await expect.poll(() => pulls).toBe(1);
  early.net.online = false;
  const map_id = await importMap(device);
  await meet(device, late);
  await deliverOnly(late, 1);
  await meet(device, late);
  await meet(device, early);
  expect(await namesOf(device)).toEqual(['Saw', 'Weld']);
  expect(await pendingOf(device)).toBe(1);
  await device.watch.startRecording({ mapId: map_id });
  early.net.online = true;
  for (let meetings = 0; meetings < 2; meetings++) await meet(device, early);
  expect(await namesOf(device)).toEqual(['Saw', 'Weld']);
  expect(await pendingOf(device)).toBe(0);
});

/** Some answers come late, so that it takes more than two meetings. */
const meetingsMax = 8;

test('[RELAY-126] an answer to forwarded work counts also after newer work was sealed', async () => {
  const device = await newWatch(server, { kind: 'phone' });
  await importMap(device);
  const phone = await newCarryingPhone(server);
  let answered = 0;
  phone.net.answers('relay', async (ask) => {
    const answer = await ask();
    answered++;
    return answer;
  });
  const pending: number[] = [];
  for (let meetings = 0; meetings < meetingsMax && !pending.includes(1); meetings++) {
    await device.record(`Run ${meetings}`);
    phone.net.online = false;
    await meet(device, phone);
    pending.push(await pendingOf(device));
    // A push of the map while it is pending, one of the recordings, and a pull.
    const expected = answered + (pending.at(-1) === 1 ? 2 : 3);
    await deliver(phone);
    await expect.poll(() => answered).toBeGreaterThanOrEqual(expected);
  }
  // Only the recording of this meeting is left, so that an answer of an earlier meeting has settled the map.
  expect(pending).toContain(1);
});

test('[RELAY-127] forwarded work whose numbers the server has for other work gets new ones, by carriers alone', async () => {
  const rest = restClient(server.url, await server.newAccount());
  const name = `copy-${randomUUID()}`;
  const open = async (database: string, online: boolean) => {
    const [net, handOver] = [network(online), createHandOver()];
    const options = { url: server.url, name: database, handOver, kind: 'phone', ...manualSync(net) } as const;
    return { net, handOver, phone: await openDevice(options) };
  };
  const original = await open(name, true);
  const { body } = await rest.send<{ code: string }>('POST', '/auth/pairing-code', { device_kind: 'phone' });
  await original.phone.pair(body.code, 'Phone');
  const { map_id: mapId } = await original.phone.createMap({ name: 'Saw' });
  for (let round = 0; round < 3; round++) await original.phone.sync();
  await original.phone.close();
  await copyDatabase({ from: name, to: `${name}-copy` });
  const [device, copy] = [await open(name, false), await open(`${name}-copy`, false)];
  await device.phone.importRecording({ mapId, recording: recordingOf('one') });
  await copy.phone.importRecording({ mapId, recording: recordingOf('two') });
  const file = await copy.phone.exportUnsent();
  device.net.online = true;
  for (let round = 0; round < 3; round++) await device.phone.sync();
  device.net.online = false;
  await device.phone.importUnsent(file);
  const carrier = await newCarryingPhone(server);
  carrier.net.online = true;
  for (let meetings = 0; meetings < 3; meetings++) await meet(device, carrier);
  const runs = await rest.list<RunRecord>(`/maps/${mapId}/runs`);
  expect(runs.map(({ recording_session_id }) => recording_session_id).toSorted()).toEqual(['one', 'two']);
});
