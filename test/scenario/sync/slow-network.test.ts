/** Networks that are slow, and proxies that refuse large requests. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MapRecord } from '../../../shared/schema/map.ts';
import type { RunRecord } from '../../../shared/schema/run.ts';
import { restClient, testServer, type TestServer } from '../../device/test-server.ts';
import { atRest, current, device, eventually, network, manualSync } from '../../device/devices.ts';
import { manualTimers } from '../../device/manual-timers.ts';
import { openPhoneWithWaitingMap } from '../../device/waiting-map.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

const quiet = { phase: 'idle', pending: 0, attention: 0, error: null };
const namesOf = async (token: string) =>
  (await restClient(server.url, token).list<MapRecord>('/maps')).map(({ name }) => name);

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
  const { token, phone } = await openPhoneWithWaitingMap(server, net);
  net.answers('sync/push', proxyPage);
  await phone.sync();
  expect(await current(phone.status$)).toMatchObject({ phase: 'waiting', pending: 1, attention: 0 });
  net.answers('sync/push', (ask) => ask());
  await phone.sync();
  expect(await atRest(phone)).toMatchObject(quiet);
  expect(await namesOf(token)).toEqual(['Saw']);
});

test('[SYNC-101] a 413 to the pull behind a lost answer withdraws nothing', async () => {
  const net = network();
  const { token, phone } = await openPhoneWithWaitingMap(server, net);
  net.answers('sync/push', async (ask) => {
    await ask();
    throw new TypeError('the answer was lost');
  });
  net.answers('sync/pull', proxyPage);
  await phone.sync();
  expect(await current(phone.status$)).toMatchObject({ phase: 'waiting', pending: 1, attention: 0 });
  net.answers('sync/push', (ask) => ask());
  net.answers('sync/pull', (ask) => ask());
  await phone.sync();
  expect(await atRest(phone)).toMatchObject(quiet);
  expect(await namesOf(token)).toEqual(['Saw']);
});
