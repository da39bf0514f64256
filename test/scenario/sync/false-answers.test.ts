/** Answers that are well formed and false. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ClientProgress, PullResponse, RecordChange } from '../../../shared/protocol/pull.ts';
import { problemOf } from '../../../shared/protocol/problem.ts';
import type { PairingCode } from '../../../shared/schema/auth.ts';
import type { MapRecord } from '../../../shared/schema/map.ts';
import { restClient, testServer, type TestServer } from '../../device/test-server.ts';
import { atRest, current, device, json, memoryStorage, network, manualSync } from '../../device/devices.ts';
import { openPhoneWithWaitingMap } from '../../device/waiting-map.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

const quiet = { phase: 'idle', pending: 0, attention: 0, error: null };
const namesOf = async (token: string) =>
  (await restClient(server.url, token).list<MapRecord>('/maps')).map(({ name }) => name);

/** The server claims to have taken everything and has nothing. */
const acceptWithoutStoring = (_ask: unknown, { body }: { body: string }) => {
  const { mutations } = JSON.parse(body) as { mutations: { seq: number }[] };
  return json({ results: [], last_seq: mutations.at(-1)?.seq ?? 0, cursor: 'x' });
};

test('[SYNC-16] a push that was answered and not kept is pushed again, and the device waits meanwhile', async () => {
  const net = network();
  const { token, phone } = await openPhoneWithWaitingMap(server, net);
  net.answers('sync/push', acceptWithoutStoring);
  await phone.sync();
  expect(await current(phone.status$)).toMatchObject({ phase: 'waiting', pending: 1, error: { code: 'unavailable' } });
  net.answers('sync/push', (ask) => ask());
  await phone.sync();
  expect(await atRest(phone)).toMatchObject(quiet);
  expect(await namesOf(token)).toEqual(['Saw']);
});

const withChangedRecords = async (
  answer: Response,
  change: (it: RecordChange) => RecordChange | [],
): Promise<Response> => {
  const { changes, ...page } = (await answer.json()) as PullResponse;
  return json({ ...page, changes: changes.flatMap(change) });
};

test('[SYNC-60] a device whose pull never shows what it pushed pulls anew from the start', async () => {
  const net = network();
  const { token, phone } = await openPhoneWithWaitingMap(server, net);
  const cursors: string[] = [];
  net.answers('sync/pull', async (ask, { query }) => {
    cursors.push(query.get('cursor')!);
    return withChangedRecords(await ask(), (it) => (it.kind === 'client' && cursors.length === 1 ? [] : it));
  });
  for (let round = 0; round < 3; round++) await phone.sync();
  expect(cursors.indexOf('')).toBe(2);
  expect(await atRest(phone)).toMatchObject(quiet);
  expect(await namesOf(token)).toEqual(['Saw']);
});

test('[SYNC-6] what the server had is not done again when the pull that looks into a gap fails once', async () => {
  const token = await server.newAccount();
  const rest = restClient(server.url, token);
  const net = network();
  const options = { url: server.url, name: 'device-of-two-tokens', storage: memoryStorage(), ...manualSync(net) };
  const before = await device({ ...options, token });
  const { map_id } = await before.createMap({ name: 'Saw' });
  await before.sync();
  let isPullable = false;
  net.answers('sync/pull', (ask) => (isPullable ? ask() : Promise.reject(new TypeError('cut'))));
  await before.updateMap(map_id, { name: 'Mine' });
  await before.sync();
  await before.close();
  await rest.send('PATCH', `/maps/${map_id}`, { name: 'Theirs' });
  const { body } = await rest.send<PairingCode>('POST', '/auth/pairing-code', { device_kind: 'phone' });

  const after = await device(options);
  await after.pair(body.code, 'Phone');
  for (let round = 0; round < 3; round++) await after.sync();
  isPullable = true;
  for (let round = 0; round < 2; round++) await after.sync();
  expect(await atRest(after)).toMatchObject(quiet);
  expect(await namesOf(token)).toEqual(['Theirs']);
});

test('[SYNC-53] a device that the server tells of a gap pulls from the start, and has what lies before its cursor', async () => {
  const net = network();
  const { token, phone } = await openPhoneWithWaitingMap(server, net);
  const { body } = await restClient(server.url, token).send<MapRecord>('POST', '/maps', { name: 'Made since' });
  // The device received this cursor before the server's files were restored.
  net.answers('sync/pull', async (ask) => {
    const page = (await (await ask()).json()) as PullResponse;
    return json({ ...page, changes: page.changes.filter(({ id }) => id !== body.id) });
  });
  await phone.sync();
  net.answers('sync/pull', (ask) => ask());
  await phone.sync();
  const namesHere = async () => (await current(phone.maps$)).map(({ name }) => name).toSorted();
  expect(await namesHere()).toEqual(['Saw']);
  const gap = problemOf({ code: 'sequence_gap', detail: 'Numbers are missing.', members: { expected_seq: 1 } });
  let isTold = false;
  net.answers('sync/push', (ask) => {
    if (isTold) return ask();
    isTold = true;
    return Response.json(gap, { status: gap.status });
  });
  await phone.createMap({ name: 'Drill' });
  await phone.sync();
  expect(await atRest(phone)).toMatchObject(quiet);
  expect(await namesHere()).toEqual(['Drill', 'Made since', 'Saw']);
});

test('[SYNC-111] a page from before a restore, which a cache still has, replaces nothing', async () => {
  const token = await server.newAccount();
  const net = network();
  let [cached, epoch]: (string | undefined)[] = [];
  net.answers('sync/pull', async (ask, { query }) => {
    const isWhole = query.get('cursor') === '';
    if (isWhole && epoch !== undefined && cached !== undefined) {
      const answer = new Response(cached, { headers: { 'Content-Type': 'application/json' } });
      cached = undefined;
      return answer;
    }
    const page = (await (await ask()).json()) as PullResponse;
    if (isWhole) cached = JSON.stringify(page);
    return json({ ...page, epoch: epoch ?? page.epoch });
  });
  const phone = await device({ url: server.url, token, packedPages: false, ...manualSync(net) });
  await phone.sync();
  await phone.createMap({ name: 'Saw' });
  for (let round = 0; round < 2; round++) await phone.sync();
  const shown: number[] = [];
  phone.maps$.subscribe((maps) => shown.push(maps.length));
  epoch = 'restored';
  for (let round = 0; round < 3; round++) await phone.sync();
  expect(cached).not.toBeUndefined();
  expect(await atRest(phone)).toMatchObject(quiet);
  expect(new Set(shown)).toEqual(new Set([1]));
});

test.each([
  ['refusals that are none', { last_seq: 0, rejections: [null as unknown] }],
  ['more than was ever sent', { last_seq: 999, rejections: [] }],
])('[SYNC-19] a pull that once tells of %s, whichever it is, loses nothing', async (_of, doc) => {
  for (let nth = 1; ; nth++) {
    const token = await server.newAccount();
    const net = network();
    let pulls = 0;
    net.answers('sync/pull', async (ask) => {
      const isNow = ++pulls === nth;
      return withChangedRecords(await ask(), (it) =>
        isNow && it.kind === 'client' ? { ...it, doc: doc as ClientProgress } : it,
      );
    });
    const phone = await device({ url: server.url, token, ...manualSync(net) });
    const { map_id } = await phone.createMap({ name: 'Saw' });
    await phone.sync();
    await phone.updateMap(map_id, { name: 'Big saw' });
    for (let round = 0; round < 3; round++) await phone.sync();
    expect(await atRest(phone)).toMatchObject(quiet);
    expect(await namesOf(token)).toEqual(['Big saw']);
    await phone.close();
    if (pulls < nth) return;
  }
});
