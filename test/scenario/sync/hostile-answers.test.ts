import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { RunRecord } from '../../../shared/schema/run.ts';
import type { GembaOptions } from '../../../client/client.ts';
import type { AnyRxStorage } from '../../rx-storage.ts';
import { Faults } from '../../simulation/faults.ts';
import { restClient, testServer, type TestServer } from '../../device/test-server.ts';
import { atRest, current, device, eventually, memoryStorage, network } from '../../device/devices.ts';
import { manualTimers } from '../../device/manual-timers.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

const json = (body: unknown) => new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } });
const recordingOf = (session: string, secs = 1) => ({
  recording_session_id: session,
  steps: [{ stage_name: 'Cut', order: 1, duration_secs: secs }],
});

/** Replaces the answer to the first request of a path; with `applied`, the server handles the request before. */
function fetchWithOneAnswer(path: string, answer: () => Response, { applied = false } = {}): typeof fetch {
  let left = 1;
  return async (input, init) => {
    if (!new URL(String(input)).pathname.endsWith(path) || left-- <= 0) return fetch(input, init);
    if (applied) await fetch(input, init);
    return answer();
  };
}

test.each(['sync/push', 'sync/pull'])(
  '[SYNC-11] JSON that is not from Gemba in answer to %s is not believed, and the work arrives once',
  async (path) => {
    const token = await server.newAccount();
    const answers = [
      {},
      { results: [], last_seq: 0, cursor: 'x' },
      { changes: [{}], cursor: 'x', has_more: false, epoch: 'y' },
    ];
    for (const [index, answer] of answers.entries()) {
      const fetch = fetchWithOneAnswer(path, () => json(answer), { applied: true });
      const phone = await device({ url: server.url, token, fetch });
      await phone.createMap({ name: `map ${index}` });
      await phone.sync();
      await phone.sync();
      expect(await atRest(phone)).toMatchObject({ phase: 'idle', pending: 0, attention: 0 });
    }
    const names = (await restClient(server.url, token).list<{ name: string }>('/maps')).map(({ name }) => name);
    expect(names.toSorted()).toEqual(['map 0', 'map 1', 'map 2']);
  },
);

test("[SYNC-12] a proxy's page for a body that it finds too large makes batches smaller", async () => {
  const token = await server.newAccount();
  const sizes: number[] = [];
  const narrow: typeof fetch = async (input, init) => {
    const size = String(init?.body ?? '').length;
    if (size > 0) sizes.push(size);
    return size > 20_000 ? new Response('<html>too large</html>', { status: 413 }) : fetch(input, init);
  };
  const net = network(false);
  const phone = await device({
    url: server.url,
    token,
    fetch: (...args) => (net.online ? narrow : net.fetch)(...args),
  });
  const { map_id } = await phone.createMap({ name: 'Saw' });
  for (let index = 0; index < 200; index++) {
    await phone.importRecording({ mapId: map_id, recording: recordingOf(`s-${index}`) });
  }
  net.online = true;
  await phone.sync();
  expect(await atRest(phone)).toMatchObject({ phase: 'idle', pending: 0 });
  expect(Math.max(...sizes)).toBeGreaterThan(20_000);
  expect(await restClient(server.url, token).list<RunRecord>(`/maps/${map_id}/runs`)).toHaveLength(200);
});

test('[SYNC-13] an answer that never comes is given up after 30 s', async () => {
  const never: typeof fetch = (_input, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    });
  const { clock, fire } = manualTimers();
  const phone = await device({ url: server.url, token: 'x', fetch: never, clock });
  await phone.createMap({ name: 'Saw' });
  expect(await current(phone.status$)).toMatchObject({ phase: 'syncing' });
  fire(30_000);
  await eventually(phone.status$, ({ phase }) => phase === 'offline');
});

test('[SYNC-13] the garbage collector does not take away the end of an exchange that waits', async () => {
  const silent = createServer();
  const asked = once(silent, 'request');
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void silent.close().closeAllConnections());
  let giveUp = () => {};
  const clock: GembaOptions['clock'] = {
    schedule: (ms, call) => {
      if (ms === 30_000) giveUp = call;
      return () => {};
    },
  };
  const { port } = silent.address() as AddressInfo;
  const phone = await device({ url: `http://127.0.0.1:${port}`, token: 'x', clock });
  await phone.createMap({ name: 'Saw' });
  await asked;
  for (let round = 0; round < 5; round++) await collectGarbage();
  giveUp();
  expect(await eventually(phone.status$, ({ phase }) => phase !== 'syncing')).toMatchObject({ phase: 'offline' });
});

async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  // Finalizers run in a turn of their own after the garbage collection.
  await new Promise((resolve) => setImmediate(resolve));
}

/** A storage that fails when the draft is removed, and in every write after that, like a full disk. */
function createStorageThatKeepsDrafts(): AnyRxStorage {
  let writes = 0;
  // The fourth write of a draft is its removal, after start, step and finish.
  return new Faults((point) => point === 'before write of drafts' && ++writes === 4).storage(memoryStorage());
}

test('[DEVICE-9] a recording that is in the outbox has ended, even if its draft could not be removed', async () => {
  const phone = await device({
    url: server.url,
    token: await server.newAccount(),
    storage: createStorageThatKeepsDrafts(),
    fetch: network(false).fetch,
  });
  const recording = await phone.startRecording({ newMap: { name: 'Saw' } });
  await recording.step({ stage_name: 'Cut' });
  const finished = await recording.finish();
  expect(await current(phone.recording$)).toBeNull();
  await expect(recording.step({ stage_name: 'Weld' })).rejects.toMatchObject({ code: 'recording_ended' });
  expect(await recording.finish()).toEqual(finished);
});

test('[DEVICE-10] closing finishes what was begun and begins nothing more', async () => {
  const storage = memoryStorage();
  const options = { name: 'device-closing', storage, url: server.url, token: await server.newAccount() };
  const phone = await device(options);
  const recording = await phone.startRecording({ newMap: { name: 'Saw' } });
  const taps = ['a', 'b', 'c'].map((stage_name) => recording.step({ stage_name }));
  const completed = eventually(phone.maps$, () => false).catch((error: Error) => error.name);
  await Promise.all([...taps, phone.close()]);
  expect(await completed).toBe('EmptyError');
  await expect(phone.createMap({ name: 'Late' })).rejects.toMatchObject({ code: 'closed' });
  await expect(recording.step({ stage_name: 'late' })).rejects.toMatchObject({ code: 'closed' });
  await phone.sync();
  const again = await device(options);
  expect((await current(again.recording$))?.steps.map(({ stage_name }) => stage_name)).toEqual(['a', 'b', 'c']);
});

test('[OUTBOX-4] copies of a recording imported at once make one run, and other content under its session is refused', async () => {
  const phone = await device({ url: server.url, token: await server.newAccount() });
  const { map_id } = await phone.createMap({ name: 'Saw' });
  const imported = { mapId: map_id, recording: recordingOf('paper-1') };
  const [first, second] = await Promise.all([phone.importRecording(imported), phone.importRecording(imported)]);
  expect(second).toEqual(first);
  const other = { mapId: map_id, recording: recordingOf('paper-1', 2) };
  await expect(phone.importRecording(other)).rejects.toMatchObject({ code: 'recording_session_mismatch' });
  await phone.sync();
  await expect(phone.importRecording(other)).rejects.toMatchObject({ code: 'recording_session_mismatch' });
  expect(await current(phone.runs$(map_id))).toHaveLength(1);
});

test('[DEVICE-12] a device that is open in this process is not opened a second time', async () => {
  const options = { name: 'device-opened-once', storage: memoryStorage(), url: server.url, token: 'x' };
  const phone = await device(options);
  await expect(device(options)).rejects.toThrow(/is open already/);
  await device({ ...options, storage: memoryStorage() });
  await phone.close();
  await device(options);
});
