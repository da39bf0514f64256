/** Answers that are well formed and false, and lines that are slow or narrow. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ClientDoc, PullResponse, RecordChange } from '../../../shared/protocol/pull.ts';
import { problemOf } from '../../../shared/protocol/problem.ts';
import type { PairingCode } from '../../../shared/schema/auth.ts';
import type { MapRecord } from '../../../shared/schema/map.ts';
import type { RunRecord } from '../../../shared/schema/run.ts';
import type { Gemba } from '../../../client/client.ts';
import { restClient, testServer, type TestServer } from '../../device/test-server.ts';
import {
  atRest,
  current,
  device,
  eventually,
  json,
  memoryStorage,
  network,
  type Network,
  manualSync,
} from '../../device/devices.ts';
import { manualTimers } from '../../device/manual-timers.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

const quiet = { phase: 'idle', pending: 0, attention: 0, error: null };
const namesOf = async (token: string) =>
  (await restClient(server.url, token).list<MapRecord>('/maps')).map(({ name }) => name);

/** An idle device with a map that waits for the next round. */
async function withWork(net: Network): Promise<{ token: string; phone: Gemba }> {
  const token = await server.newAccount();
  const phone = await device({ url: server.url, token, ...manualSync(net) });
  await phone.sync();
  net.online = false;
  await phone.createMap({ name: 'Saw' });
  await phone.sync();
  net.online = true;
  return { token, phone };
}

/** The server claims to have taken everything and has nothing. */
const acceptsAndLoses = (_ask: unknown, { body }: { body: string }) => {
  const { mutations } = JSON.parse(body) as { mutations: { seq: number }[] };
  return json({ results: [], last_seq: mutations.at(-1)?.seq ?? 0, cursor: 'x' });
};

test('[SYNC-16] a push that was answered and not kept is pushed again, and the device waits meanwhile', async () => {
  const net = network();
  const { token, phone } = await withWork(net);
  net.answers('sync/push', acceptsAndLoses);
  await phone.sync();
  expect(await current(phone.status$)).toMatchObject({ phase: 'waiting', pending: 1, error: { code: 'unavailable' } });
  net.answers('sync/push', (ask) => ask());
  await phone.sync();
  expect(await atRest(phone)).toMatchObject(quiet);
  expect(await namesOf(token)).toEqual(['Saw']);
});

const changed = async (answer: Response, change: (it: RecordChange) => RecordChange | []): Promise<Response> => {
  const { changes, ...page } = (await answer.json()) as PullResponse;
  return json({ ...page, changes: changes.flatMap(change) });
};

test('[SYNC-60] a device whose pull never shows what it pushed pulls anew from the start', async () => {
  const net = network();
  const { token, phone } = await withWork(net);
  const cursors: string[] = [];
  net.answers('sync/pull', async (ask, { query }) => {
    cursors.push(query.get('cursor')!);
    return changed(await ask(), (it) => (it.kind === 'client' && cursors.length === 1 ? [] : it));
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
  const { token, phone } = await withWork(net);
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

test('[SYNC-17] an answer that comes steadily is not given up after 30 s', async () => {
  const token = await server.newAccount();
  await restClient(server.url, token).send('POST', '/maps', { name: 'Saw' });
  const net = network();
  const timers = manualTimers();
  manualSync(net);
  net.answers('sync/pull', async (ask, { signal }) => {
    const answer = await ask();
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const part = Math.ceil(bytes.length / 3);
    let at = 0;
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      timers.pass(20_000);
      if (signal.aborted) return controller.error(signal.reason);
      controller.enqueue(bytes.slice(at, (at += part)));
      if (at >= bytes.length) controller.close();
    };
    return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }), answer);
  });
  const phone = await device({ url: server.url, token, fetch: net.fetch, clock: timers.clock });
  expect(await eventually(phone.status$, ({ phase }) => phase !== 'syncing')).toMatchObject({ phase: 'idle' });
  expect(await current(phone.maps$)).toMatchObject([{ name: 'Saw' }]);
});

test('[SYNC-57] a large recording has the time that it takes on a slow line', async () => {
  const token = await server.newAccount();
  const net = network();
  const timers = manualTimers();
  manualSync(net);
  let givenUp = 0;
  net.answers('sync/push', (ask, { body, signal }) => {
    const bytesPerMs = 20;
    timers.pass(body.length / bytesPerMs);
    if (!signal.aborted) return ask();
    givenUp++;
    return Promise.reject(signal.reason as Error);
  });
  const phone = await device({ url: server.url, token, fetch: net.fetch, clock: timers.clock });
  const { map_id } = await phone.createMap({ name: 'Saw' });
  const recording = { recording_session_id: 's-1', steps: wordySteps(100) };
  await phone.importRecording({ mapId: map_id, recording });
  await eventually(phone.status$, ({ phase }) => phase !== 'syncing');
  await phone.sync();
  expect(await current(phone.custody$('s-1'))).toBe('server');
  expect(givenUp).toBe(0);
});

test('[SYNC-58] a recording that is sent alone has the time that it takes on the slowest line', async () => {
  const token = await server.newAccount();
  const net = network();
  const timers = manualTimers();
  manualSync(net);
  const sent: string[] = [];
  net.answers('sync/push', (ask, { body, signal }) => {
    const bytesPerMs = 2;
    timers.pass(body.length / bytesPerMs);
    const { mutations } = JSON.parse(body) as { mutations: unknown[] };
    sent.push(`${mutations.length} ${signal.aborted ? 'given up' : 'arrived'}`);
    return signal.aborted ? Promise.reject(signal.reason as Error) : ask();
  });
  const phone = await device({ url: server.url, token, fetch: net.fetch, clock: timers.clock });
  const { map_id } = await phone.createMap({ name: 'Saw' });
  await phone.sync();
  await phone.importRecording({
    mapId: map_id,
    recording: { recording_session_id: 's-1', steps: wordySteps(60) },
  });
  await phone.sync();
  expect(await current(phone.custody$('s-1'))).toBe('server');
  expect(sent.filter((one) => one.startsWith('1 '))).toEqual(sent);
  expect(sent).not.toContain('1 given up');
});

const wordySteps = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    stage_name: `Step ${index}`,
    order: index + 1,
    duration_secs: 1,
    notes: 'n'.repeat(9_000),
  }));

const proxyPage = () => new Response('<html>too large</html>', { status: 413 });

test('[SYNC-18] a recording that is too large for a proxy is refused for that reason, and can be sent again', async () => {
  const token = await server.newAccount();
  const net = network();
  const phone = await device({ url: server.url, token, ...manualSync(net) });
  const { map_id } = await phone.createMap({ name: 'Saw' });
  await phone.sync();
  net.answers('sync/push', (ask, { body }) => (body.length > 100_000 ? proxyPage() : ask()));
  await phone.importRecording({ mapId: map_id, recording: { recording_session_id: 's-1', steps: wordySteps(20) } });
  await phone.sync();
  const [refused] = await current(phone.attention$);
  expect(refused).toMatchObject({ error: { code: 'payload_too_large' }, remedies: ['send_again', 'discard'] });
  expect(refused!.args['steps']).toHaveLength(20);
  expect(await current(phone.custody$('s-1'))).toBe('device');

  net.answers('sync/push', (ask) => ask());
  await phone.resolve(refused!.seq, 'send_again');
  await phone.sync();
  expect(await atRest(phone)).toMatchObject(quiet);
  expect(await restClient(server.url, token).list<RunRecord>(`/maps/${map_id}/runs`)).toMatchObject([
    { recording_session_id: 's-1' },
  ]);
});

test('[SYNC-61] something small that a proxy finds too large for once waits, and goes whole', async () => {
  const net = network();
  const { token, phone } = await withWork(net);
  net.answers('sync/push', proxyPage);
  await phone.sync();
  expect(await current(phone.status$)).toMatchObject({ phase: 'waiting', pending: 1, attention: 0 });
  net.answers('sync/push', (ask) => ask());
  await phone.sync();
  expect(await atRest(phone)).toMatchObject(quiet);
  expect(await namesOf(token)).toEqual(['Saw']);
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
      return changed(await ask(), (it) => (isNow && it.kind === 'client' ? { ...it, doc: doc as ClientDoc } : it));
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
